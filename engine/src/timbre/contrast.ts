/**
 * How far do the peaks of each octave stand above its valleys? Spectral contrast, in dB: tones stand out, noise does not.
 *
 * Jiang et al., "Music Type Classification by Spectral Contrast Feature", ICME 2002; here over the six octaves of half-semitone bands
 * from C2, whose resolution separates neighbouring tones.
 */

import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { createFrameWindow, windowRows } from '../signal/frame-window.ts';
import type { Kernels } from '../signal/kernels.ts';

const OCTAVE_BANDS = 24;
/** Chosen: the strongest and the weakest fifth of the bands of an octave are its peak and its valley. */
const END_SHARE = 0.2;
export const END_BANDS = Math.round(OCTAVE_BANDS * END_SHARE);
/** Chosen: a valley counts as at most 100 dB below its peak, since beside a pure tone there is only the window's leakage. */
const FLOOR_SHARE = 1e-5;

/** One value per octave, the mean over the frames in which that octave sounds; 0 dB for an octave that never sounds. Empty without any sound. */
export function measureContrast(kernels: Kernels, pitch: FrameMatrix, silenceMagnitude: number): number[] {
  const octaveCount = pitch.binCount / OCTAVE_BANDS;
  const sums = new Float64Array(octaveCount);
  const counts = new Float64Array(octaveCount);
  const sorted = kernels.allocateDoubles(OCTAVE_BANDS).pointer;
  const ends = kernels.allocateDoubles(2 * octaveCount * windowRows(0));
  const window = createFrameWindow(kernels, pitch, (rows, rowCount) => {
    const { findOctaveEnds } = kernels.exports;
    const count = rowCount * octaveCount;
    findOctaveEnds(rows, count, OCTAVE_BANDS, END_BANDS, silenceMagnitude, sorted, ends.pointer);
  });
  window.visit(0, pitch.frameCount, (row, count) => {
    const { view } = ends;
    for (let i = row * octaveCount; i < (row + count) * octaveCount; i++) {
      const peak = view[2 * i]!;
      if (peak === 0) continue;
      sums[i % octaveCount]! += 20 * Math.log10(peak / Math.max(view[2 * i + 1]!, FLOOR_SHARE * peak));
      counts[i % octaveCount]!++;
    }
  });
  return counts.some((count) => count > 0)
    ? Array.from(sums, (sum, octave) => (counts[octave] === 0 ? 0 : sum / counts[octave]!))
    : [];
}
