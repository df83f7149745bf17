import { describe, expect, it } from 'vitest';
import { analyseSpectra } from '../signal/test-spectra.ts';
import { averageChroma, computeChroma } from './chroma.ts';
import { MAJOR, makeChord, renderChords } from './test-progressions.ts';

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

  it('is zero for silence and empty without frames', () => {
    const silence = { frameRateHz: 10, binCount: 144, frameCount: 3, data: new Float32Array(3 * 144) };
    const { middle, bass } = computeChroma(silence, 0, 0);
    expect([middle.data, bass.data]).toEqual([new Float32Array(36), new Float32Array(36)]);
    const nothing = { frameRateHz: 10, binCount: 144, frameCount: 0, data: new Float32Array(0) };
    expect(computeChroma(nothing, 0, 0).bass.frameCount).toBe(0);
  });

  /** A tone in one band of 300 frames, more than one window of the kernels. */
  const toneAt = (band: number) => {
    const data = new Float32Array(300 * 144);
    for (let frame = 0; frame < 300; frame++) data[frame * 144 + band] = 50;
    return computeChroma({ frameRateHz: 10, binCount: 144, frameCount: 300, data }, 0.1, 0);
  };

  it('weights the middle register by a bell around C4, in every frame', () => {
    const [centre, above, below] = [48, 72, 24].map((band) => toneAt(band).middle);
    // An octave is 12 / 14 of a standard deviation off: exp(-0.5 (12 / 14)²).
    expect(above!.data[0]! / centre!.data[0]!).toBeCloseTo(0.6926, 4);
    expect(above!.data[12 * 299]).toBe(above!.data[0]);
    // Whitening subtracts a mean over 31 semitones from C3 and over 37 from C4.
    expect(below!.data[0]! / centre!.data[0]!).toBeCloseTo((0.6926 * (30 / 31)) / (36 / 37), 4);
    expect([...centre!.data.subarray(1, 12)]).toEqual(new Array(11).fill(0));
    expect(centre).toMatchObject({ frameRateHz: 10, binCount: 12, frameCount: 300 });
  });

  it('weights the bass by a bell around Ab2', () => {
    const [centre, above] = [16, 40].map((band) => toneAt(band).bass);
    // exp(-0.5 (12 / 7)²) = 0.23; whitening subtracts a mean over 27 semitones from Ab2 and over 37 from Ab3.
    expect(above!.data[8]! / centre!.data[8]!).toBeCloseTo((0.23 * (36 / 37)) / (26 / 27), 3);
  });

  it('has a mean over any range of frames', () => {
    const data = Float32Array.from({ length: 48 }, (_, i) => i);
    const frames = { frameRateHz: 10, binCount: 12, frameCount: 4, data };
    expect([...averageChroma(frames, 1, 3)]).toEqual(Array.from({ length: 12 }, (_, p) => 18 + p));
    expect([...averageChroma(frames, 2, 2)]).toEqual(new Array(12).fill(0));
  });

  it('refuses frames with another number of bands', () => {
    const mel = { frameRateHz: 50, binCount: 81, frameCount: 1, data: new Float32Array(81) };
    expect(() => computeChroma(mel, 1, 0)).toThrow('144 bands');
  });
});
