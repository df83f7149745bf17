/**
 * Spectral contrast: how far the peaks of each octave stand above its valleys, in dB. Tones stand out, noise does not.
 *
 * Jiang et al., "Music Type Classification by Spectral Contrast Feature", ICME 2002; here over the six octaves of half-semitone bands
 * from C2, whose resolution separates neighbouring tones.
 */

import type { FrameMatrix } from '../signal/frame-matrix.ts';

const OCTAVE_BANDS = 24;
/** Of the bands of an octave, at either end. */
const END_SHARE = 0.2;
const END_BANDS = Math.round(OCTAVE_BANDS * END_SHARE);
/** -100 dB of the octave's peak: the valley of a pure tone is the window's, not infinity. */
const FLOOR = 1e-5;

/** One value an octave, the mean over frames with sound in that octave; empty without any. */
export function measureContrast(pitch: FrameMatrix, silenceLevel: number): number[] {
  const octaves = pitch.binCount / OCTAVE_BANDS;
  const sums = new Float64Array(octaves);
  const counts = new Float64Array(octaves);
  for (let i = 0; i < pitch.frameCount; i++) {
    for (let octave = 0; octave < octaves; octave++) {
      const from = i * pitch.binCount + octave * OCTAVE_BANDS;
      const bands = pitch.data.slice(from, from + OCTAVE_BANDS).sort();
      if (bands.at(-1)! <= silenceLevel) continue;
      const valley = meanOf(bands.subarray(0, END_BANDS));
      const peak = meanOf(bands.subarray(-END_BANDS));
      sums[octave]! += 20 * Math.log10(peak / Math.max(valley, FLOOR * peak));
      counts[octave]!++;
    }
  }
  return counts.some((count) => count > 0)
    ? Array.from(sums, (sum, octave) => (counts[octave] === 0 ? 0 : sum / counts[octave]!))
    : [];
}

function meanOf(values: Float32Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
