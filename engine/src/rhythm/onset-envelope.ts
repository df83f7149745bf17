/**
 * How strongly something begins at each frame, in three registers.
 *
 * 1. compress the mel magnitudes  2. take the rise of each band over the loudest of its neighbours two frames ago, so that vibrato and
 *    glides, which only move energy to the next band, do not count  3. sum the rises in each register.
 *
 * Böck & Widmer, "Maximum filter vibrato suppression for onset detection", DAFx 2013 (SuperFlux).
 * Deviation: mel bands of the shared front end instead of 24 bands an octave; they are about two semitones wide above 500 Hz, so one neighbour
 * on either side covers a vibrato. Values are divided by the number of bands: the registers compare.
 */

import type { FrameMatrix } from '../signal/frame-matrix.ts';

export type OnsetEnvelope = {
  frameRateHz: number;
  /** All bands. */
  full: Float32Array;
  /** Below about 200 Hz: kick drums and bass. */
  low: Float32Array;
  /** Above about 2.4 kHz: hi-hats, sticks, consonants. */
  high: Float32Array;
};

/** log1p(10 x) of a signal of unit RMS, the scale on which the networks listen too. */
const COMPRESSION_GAIN = 10;
const RMS_FLOOR = 1e-6;
/** 40 ms: an attack rises over about that long at a window of 46 ms. */
const LAG_FRAMES = 2;
/** Bands of the 81 from 30 Hz to 10 kHz whose centre lies below 200 Hz, and the first above 2.4 kHz. */
const LOW_BANDS_END = 5;
const HIGH_BANDS_START = 50;

export function computeOnsetEnvelope(mel: FrameMatrix, rms: number): OnsetEnvelope {
  const { frameCount, binCount, data } = mel;
  const full = new Float32Array(frameCount);
  const low = new Float32Array(frameCount);
  const high = new Float32Array(frameCount);
  const gain = COMPRESSION_GAIN / (rms + RMS_FLOOR);
  // The last LAG_FRAMES frames and this one, in a ring.
  const ring = Array.from({ length: LAG_FRAMES + 1 }, () => new Float32Array(binCount));
  for (let frame = 0; frame < frameCount; frame++) {
    const now = ring[frame % ring.length]!;
    for (let band = 0; band < binCount; band++) now[band] = Math.log1p(gain * data[frame * binCount + band]!);
    if (frame < LAG_FRAMES) continue;
    const past = ring[(frame - LAG_FRAMES) % ring.length]!;
    let lowSum = 0;
    let middleSum = 0;
    let highSum = 0;
    for (let band = 0; band < binCount; band++) {
      const loudest = Math.max(
        past[Math.max(0, band - 1)]!,
        past[band]!,
        past[Math.min(binCount - 1, band + 1)]!,
      );
      const rise = now[band]! - loudest;
      if (rise <= 0) continue;
      if (band < LOW_BANDS_END) lowSum += rise;
      else if (band < HIGH_BANDS_START) middleSum += rise;
      else highSum += rise;
    }
    full[frame] = (lowSum + middleSum + highSum) / binCount;
    low[frame] = lowSum / LOW_BANDS_END;
    high[frame] = highSum / (binCount - HIGH_BANDS_START);
  }
  return { frameRateHz: mel.frameRateHz, full, low, high };
}
