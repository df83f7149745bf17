import { expect, it } from 'vitest';
import { ParameterError } from '../parameter-error.ts';
import { createFrameSlicer } from './frame-slicer.ts';
import { createKernels } from './kernels.ts';

/** The frames of a stream pushed in these pieces. */
function slice(pieces: readonly number[][], windowSamples: number, hopSamples: number): number[][] {
  const kernels = createKernels();
  const frames: number[][] = [];
  const slicer = createFrameSlicer(kernels, windowSamples, hopSamples, (pointer) => {
    frames.push([...new Float32Array(kernels.exports.memory.buffer, pointer, windowSamples)]);
  });
  for (const piece of pieces) slicer.push(Float32Array.from(piece));
  slicer.finish();
  return frames;
}

it('centres a frame on every hop, and mirrors the ends without repeating the end sample', () => {
  expect(slice([[1, 2, 3, 4, 5, 6, 7]], 6, 2)).toEqual([
    [4, 3, 2, 1, 2, 3],
    [2, 1, 2, 3, 4, 5],
    [2, 3, 4, 5, 6, 7],
    [4, 5, 6, 7, 6, 5],
  ]);
  expect(slice([[1, 2, 3]], 4, 1)).toEqual([
    [3, 2, 1, 2],
    [2, 1, 2, 3],
    [1, 2, 3, 2],
    [2, 3, 2, 1],
  ]);
});

it('mirrors a signal shorter than half a frame back and forth', () => {
  expect(slice([[1, 2, 3]], 8, 3)).toEqual([
    [1, 2, 3, 2, 1, 2, 3, 2],
    [2, 1, 2, 3, 2, 1, 2, 3],
  ]);
  expect(slice([[5]], 6, 2)).toEqual([[5, 5, 5, 5, 5, 5]]);
});

it('gives no frames for no samples', () => {
  expect(slice([], 6, 2)).toEqual([]);
});

it('does not depend on how the signal was divided', () => {
  const samples = Array.from({ length: 200 }, (_, n) => n);
  const whole = slice([samples], 16, 5);
  expect(slice([samples.slice(0, 3), [], samples.slice(3, 90), samples.slice(90)], 16, 5)).toEqual(whole);
  expect(
    slice(
      samples.map((sample) => [sample]),
      16,
      5,
    ),
  ).toEqual(whole);
});

it.each([0, 4, Number.NaN])('refuses a hop of %d in frames of 8', (hopSamples) => {
  expect(() => slice([], 8, hopSamples)).toThrow(ParameterError);
});
