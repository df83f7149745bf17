import { describe, expect, it } from 'vitest';
import { createKernels } from '../signal/kernels.ts';
import { measureContrast } from './contrast.ts';

const OCTAVE_BANDS = 24;
const SILENCE_MAGNITUDE = 0.125;

/** The contrast of frames of six octaves, given by the magnitude of each band in each octave. */
function contrastOf(frames: readonly ((octave: number, band: number) => number)[]): number[] {
  const binCount = 6 * OCTAVE_BANDS;
  const data = Float32Array.from({ length: binCount * frames.length }, (_, i) => {
    const bin = i % binCount;
    return frames[Math.floor(i / binCount)]!(Math.floor(bin / OCTAVE_BANDS), bin % OCTAVE_BANDS);
  });
  const pitch = { frameRateHz: 10, binCount, frameCount: frames.length, data };
  return measureContrast(createKernels(), pitch, SILENCE_MAGNITUDE);
}

describe('contrast', () => {
  it('compares the five strongest bands of an octave with its five weakest, wherever they are', () => {
    // Bands 0, 5, 10, 15 and 20 are the strongest and 1, 6, 11, 16 and 21 the weakest: 20 dB apart.
    const frame = (_: number, band: number) => [10, 1, 5, 5, 5][band % 5]!;
    expect(contrastOf([frame])).toEqual(new Array(6).fill(20));
    // A sixth strong band and a sixth weak one change nothing.
    const more = (octave: number, band: number) => (band === 2 ? 10 : band === 3 ? 1 : frame(octave, band));
    expect(contrastOf([more])).toEqual(new Array(6).fill(20));
  });

  it('is the mean over the frames in which the octave is not silent', () => {
    const even = (octave: number) => (octave === 2 ? 1 : 0);
    const peaked = (octave: number, band: number) => (octave !== 2 ? 0 : band < 5 ? 10 : 1);
    const silent = () => SILENCE_MAGNITUDE;
    // More than one window of the kernels. The other five octaves are silent throughout.
    const silence = new Array<typeof silent>(300).fill(silent);
    expect(contrastOf([even, ...silence, peaked])).toEqual([0, 0, (0 + 20) / 2, 0, 0, 0]);
  });

  it('is 100 dB at most', () => {
    const tone = (octave: number, band: number) => (octave === 3 && band === 7 ? 10 : 0);
    expect(contrastOf([tone])[3]).toBeCloseTo(100, 9);
  });

  it('is empty in silence and without frames', () => {
    expect(contrastOf([() => 0])).toEqual([]);
    expect(contrastOf([])).toEqual([]);
  });
});
