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
  const bands = new Float64Array(OCTAVE_BANDS);
  for (let i = 0; i < pitch.frameCount; i++) {
    for (let octave = 0; octave < octaves; octave++) {
      const from = i * pitch.binCount + octave * OCTAVE_BANDS;
      sortOctave(pitch.data, from, bands);
      if (bands[OCTAVE_BANDS - 1]! <= silenceLevel) continue;
      let valley = 0;
      let peak = 0;
      for (let k = 0; k < END_BANDS; k++) {
        valley += bands[k]! / END_BANDS;
        peak += bands[OCTAVE_BANDS - 1 - k]! / END_BANDS;
      }
      sums[octave]! += 20 * Math.log10(peak / Math.max(valley, FLOOR * peak));
      counts[octave]!++;
    }
  }
  return counts.some((count) => count > 0)
    ? Array.from(sums, (sum, octave) => (counts[octave] === 0 ? 0 : sum / counts[octave]!))
    : [];
}

/** By insertion: for two dozen values nothing is faster. */
function sortOctave(data: Float32Array, from: number, sorted: Float64Array): void {
  for (let k = 0; k < OCTAVE_BANDS; k++) {
    const value = data[from + k]!;
    let at = k;
    while (at > 0 && sorted[at - 1]! > value) {
      sorted[at] = sorted[at - 1]!;
      at--;
    }
    sorted[at] = value;
  }
}
