/**
 * How far do the spectral peaks of each octave rise above its valleys? Spectral contrast, in dB: high for tones, low for noise.
 *
 * Jiang et al., "Music Type Classification by Spectral Contrast Feature", ICME 2002; here over the six octaves of half-semitone
 * bands from C2, which are narrow enough to separate neighbouring notes.
 */

import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { createFrameWindow, windowRows } from '../signal/frame-window.ts';
import { PITCH_FRAMES } from '../signal/front-end.ts';
import type { Kernels } from '../signal/kernels.ts';

const OCTAVE_BANDS = PITCH_FRAMES.bandsPerOctave;
/** The strongest and the weakest fifth of an octave's bands are its peak and its valley; Jiang et al. found 0.02 to 0.2 to make no difference. */
const END_SHARE = 0.2;
export const END_BANDS = Math.round(OCTAVE_BANDS * END_SHARE);
/** A valley counts as at most 100 dB below its peak: next to a pure tone there is only the leakage of the window, whose level means nothing. */
const FLOOR_SHARE = 1e-5;

/** One value per octave: the mean over the frames in which it is not silent, or 0 dB if it always is. Empty if all octaves are silent throughout. */
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
