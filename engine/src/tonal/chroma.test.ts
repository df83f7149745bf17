import { describe, expect, it } from 'vitest';
import { averageChroma, computeChroma } from './chroma.ts';
import { analyseSpectra, MAJOR, makeChord, renderChords } from './test-progressions.ts';

const chromaOf = (root: number, tuningCents: number, gain = 1) => {
  const { pitch, rms } = analyseSpectra(
    renderChords([makeChord(root, MAJOR, 3)], tuningCents).map((x) => gain * x),
  );
  const { middle, bass } = computeChroma(pitch, rms, tuningCents);
  return {
    middle: averageChroma(middle, 0, middle.frameCount),
    bass: averageChroma(bass, 0, bass.frameCount),
  };
};
const strongest = (chroma: Float64Array, count: number): number[] =>
  [...chroma.keys()]
    .sort((a, b) => chroma[b]! - chroma[a]!)
    .slice(0, count)
    .sort((a, b) => a - b);

describe('chroma', () => {
  it.each([-45, -25, 0, 25, 45])('has the three tones of a triad at %i cents', (cents) => {
    for (const root of [0, 5, 10]) {
      const { middle, bass } = chromaOf(root, cents);
      expect(strongest(middle, 3)).toEqual(
        MAJOR.map((interval) => (root + interval) % 12).sort((a, b) => a - b),
      );
      expect(strongest(bass, 1)).toEqual([root]);
    }
  });

  it('does not depend on the level', () => {
    const loud = chromaOf(2, 0).middle;
    chromaOf(2, 0, 1 / 128).middle.forEach((value, p) => {
      expect(value).toBeCloseTo(loud[p]!, 4);
    });
  });

  it('is zero for silence and empty for nothing', () => {
    const silence = { frameRateHz: 10, binCount: 144, frameCount: 3, data: new Float32Array(3 * 144) };
    expect([...computeChroma(silence, 0, 0).middle.data].every((value) => value === 0)).toBe(true);
    const nothing = { frameRateHz: 10, binCount: 144, frameCount: 0, data: new Float32Array(0) };
    expect(computeChroma(nothing, 0, 0).bass.frameCount).toBe(0);
  });

  it('refuses frames of another kind', () => {
    const mel = { frameRateHz: 50, binCount: 81, frameCount: 1, data: new Float32Array(81) };
    expect(() => computeChroma(mel, 1, 0)).toThrow('144 bands');
  });
});
