import { describe, expect, it } from 'vitest';
import { makeRandom } from '../test-random.ts';
import { createKernels } from './kernels.ts';
import { createLogFrames } from './log-frames.ts';
import { takeLogarithmTwin } from './log-frames-twin.ts';

const random = makeRandom(11);

describe('takeLogarithms', () => {
  const SCALE = { gain: 10, shift: 1, floor: 1e-30, scale: 0.7, offset: -0.3 };

  // The kernel processes four values at a time: lengths with and without a remainder.
  it.each([4, 5, 81, 1000])('equals its twin bit for bit on %i values', (count) => {
    const { exports, copyFloats, allocateFloats } = createKernels();
    const values = Float32Array.from({ length: count }, () => random() * 10 ** (12 * random() - 8));
    const out = allocateFloats(count);
    const { gain, shift, floor, scale, offset } = SCALE;
    exports.takeLogarithms(copyFloats(values).pointer, out.pointer, count, gain, shift, floor, scale, offset);
    expect([...out.view]).toEqual([...values].map((value) => takeLogarithmTwin(value, SCALE)));
  });

  it.each([1e-30, 1e-9, 0.5, Math.SQRT1_2, 1, 1.0001, Math.SQRT2, 3, 1e20])('is the logarithm of %f', (y) => {
    const value = takeLogarithmTwin(y, { gain: 1, shift: 0, floor: 1e-37, scale: 1, offset: 0 });
    // Half a unit in the last place of the result, plus that of the argument.
    expect(Math.abs(value - Math.log(y))).toBeLessThan(1e-7 * Math.max(1, Math.abs(Math.log(y))));
  });

  it('replaces lower values by the floor', () => {
    const options = { gain: 1, shift: 0, floor: 1e-4, scale: 1, offset: 0 };
    expect(takeLogarithmTwin(0, options)).toBeCloseTo(Math.log(1e-4), 6);
    expect(takeLogarithmTwin(-3, options)).toBeCloseTo(Math.log(1e-4), 6);
  });
});

describe('createLogFrames', () => {
  const binCount = 3;
  const frameCount = 700;
  const data = Float32Array.from({ length: frameCount * binCount }, (_, i) => i + 1);
  const matrix = { frameRateHz: 50, binCount, frameCount, data };

  it('reads every frame and its history, forward, backward and across windows', () => {
    const logs = createLogFrames(createKernels(), matrix, { gain: 1 }, 2);
    const order = [...Array.from({ length: frameCount }, (_, i) => i), 699, 3, 2, 255, 256, 257, 0];
    for (const frame of order) {
      const at = logs.seek(frame);
      for (let back = 0; back <= Math.min(2, frame); back++) {
        const value = logs.data[at - back * binCount + 1]!;
        expect(value).toBeCloseTo(Math.log((frame - back) * binCount + 2), 5);
      }
    }
  });

  it('passes on every third frame with the addresses of its magnitudes and logarithms', () => {
    const kernels = createKernels();
    const visited: number[] = [];
    // The history makes the first frame of a piece row 2 of the window.
    createLogFrames(kernels, matrix, { gain: 1 }, 2).visit(
      4,
      frameCount,
      ({ first, count, magnitudes, logarithms }) => {
        const heap = new Float32Array(kernels.exports.memory.buffer);
        for (let n = 0; n < count; n++) {
          const at = 3 * n * binCount;
          const [magnitude, logarithm] = [magnitudes, logarithms].map((pointer) => heap[pointer / 4 + at]!);
          visited.push(first + 3 * n);
          expect(magnitude).toBe(data[(first + 3 * n) * binCount]);
          // A unit in the last place of a logarithm between 4 and 8.
          expect(Math.abs(logarithm! - Math.log(magnitude!))).toBeLessThan(5e-7);
        }
      },
      3,
    );
    expect(visited).toEqual(Array.from({ length: 232 }, (_, n) => 4 + 3 * n));
  });

  it('reads a matrix of a single value', () => {
    const single = { frameRateHz: 50, binCount: 1, frameCount: 1, data: Float32Array.of(Math.E) };
    const logs = createLogFrames(createKernels(), single, { gain: 1 });
    expect(logs.data[logs.seek(0)]).toBeCloseTo(1, 6);
  });
});
