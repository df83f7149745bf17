import { describe, expect, it } from 'vitest';
import type { FloatFrames } from '../signal/frame-matrix.ts';
import { createKernels } from '../signal/kernels.ts';
import { makeNoise } from '../signal/test-signals.ts';
import { compressionGain, createSemitoneFrames, createSemitoneWeights, SEMITONE_COUNT } from './semitones.ts';
import { takeSemitonesReference } from './semitones-twin.ts';

/** More than the window of frames that is held at a time. */
const FRAMES = 300;
const RMS = 0.3;
const pitch: FloatFrames = {
  frameRateHz: 10,
  binCount: 144,
  frameCount: FRAMES,
  data: makeNoise(FRAMES * 144, 30, 21).map(Math.abs),
};

describe('semitones', () => {
  it.each([0, 17, -33, 50])('%i cents off share every band between two of them, and lose none', (cents) => {
    const { firstBands, weights } = createSemitoneWeights(cents);
    const shares = new Float64Array(144);
    firstBands.forEach((first, s) => {
      for (let k = 0; k < 5; k++) shares[first + k]! += weights[s * 5 + k]!;
    });
    // The outermost bands have a neighbour on one side only.
    for (let band = 2; band < 142; band++) expect(shares[band]).toBeCloseTo(1, 12);
  });

  it('in tune are the even bands, with half of the odd ones', () => {
    const { firstBands, weights } = createSemitoneWeights(0);
    expect(firstBands[10]).toBe(18);
    expect([...weights.subarray(50, 55)]).toEqual([0, 0.5, 1, 0.5, 0]);
  });

  it('half a band sharp move by it', () => {
    const { firstBands, weights } = createSemitoneWeights(25);
    expect(firstBands[10]).toBe(19);
    expect([...weights.subarray(50, 55)]).toEqual([0.25, 0.75, 0.75, 0.25, 0]);
  });

  it('are those of the twin in every frame, whichever part is visited', () => {
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
      const expected = takeSemitonesReference(pitch.data.subarray(frame * 144, (frame + 1) * 144), RMS, 17);
      values.forEach((value, s) => {
        expect(value).toBeCloseTo(expected[s]!, 12);
      });
    }
  });

  it('are heard against the level of the recording, and not at all in silence', () => {
    // A tone at that level is compressed by log(1 + 10 x); the unit is that of an unscaled transform.
    expect(compressionGain(RMS) * 90.5 * RMS).toBeCloseTo(10, 12);
    expect(compressionGain(0)).toBe(0);
  });
});
