import { describe, expect, it } from 'vitest';
import type { FloatFrames } from '../signal/frame-matrix.ts';
import { createKernels } from '../signal/kernels.ts';
import { makeNoise } from '../signal/test-signals.ts';
import { compressionGain, createSemitoneFrames, createSemitoneWeights, SEMITONE_COUNT } from './semitones.ts';
import { takeSemitonesTwin } from './semitones-twin.ts';

/** More than one window of the kernels. */
const FRAMES = 300;
const RMS = 0.3;
const pitch: FloatFrames = {
  frameRateHz: 10,
  binCount: 144,
  frameCount: FRAMES,
  data: makeNoise(FRAMES * 144, 30, 21).map(Math.abs),
};

describe('semitones', () => {
  it.each([0, 17, -33, 50])('split every band between them without loss at %i cents', (cents) => {
    const { firstBands, weights } = createSemitoneWeights(cents);
    const shares = new Float64Array(144);
    firstBands.forEach((first, s) => {
      for (let k = 0; k < 5; k++) shares[first + k]! += weights[s * 5 + k]!;
    });
    // The outermost bands have a semitone on one side only.
    for (let band = 2; band < 142; band++) expect(shares[band]).toBeCloseTo(1, 12);
  });

  it('consist of the even band and half of its neighbours when in tune', () => {
    const { firstBands, weights } = createSemitoneWeights(0);
    expect(firstBands[10]).toBe(18);
    expect([...weights.subarray(50, 55)]).toEqual([0, 0.5, 1, 0.5, 0]);
  });

  it('move up by half a band at 25 cents', () => {
    const { firstBands, weights } = createSemitoneWeights(25);
    expect(firstBands[10]).toBe(19);
    expect([...weights.subarray(50, 55)]).toEqual([0.25, 0.75, 0.75, 0.25, 0]);
  });

  it('equal the twin’s in every frame, whichever range is visited', () => {
    const kernels = createKernels();
    const frames = createSemitoneFrames(kernels, pitch, RMS, 17);
    const seen = new Map<number, Float64Array>();
    const visit = (from: number, to: number): void =>
      frames.visit(from, to, (rows, count, first) => {
        const values = new Float64Array(kernels.exports.memory.buffer, rows, count * SEMITONE_COUNT);
        for (let i = 0; i < count; i++) {
          seen.set(first + i, values.slice(i * SEMITONE_COUNT, (i + 1) * SEMITONE_COUNT));
        }
      });
    visit(3, 9);
    visit(250, FRAMES);
    expect([...seen.keys()]).toEqual([
      ...Array.from({ length: 6 }, (_, i) => 3 + i),
      ...Array.from({ length: 50 }, (_, i) => 250 + i),
    ]);
    for (const [frame, values] of seen) {
      const expected = takeSemitonesTwin(pitch.data.subarray(frame * 144, (frame + 1) * 144), RMS, 17);
      values.forEach((value, s) => {
        expect(value).toBeCloseTo(expected[s]!, 12);
      });
    }
  });

  it('are compressed relative to the level of the recording, and zero in silence', () => {
    // In units of the unscaled transform, a magnitude of the recording's RMS is scaled to 10.
    expect(compressionGain(RMS) * 90.5 * RMS).toBeCloseTo(10, 12);
    expect(compressionGain(0)).toBe(0);
  });
});
