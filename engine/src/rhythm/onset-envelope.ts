/**
 * How strongly does something begin at each frame, in three registers?
 *
 * 1. compress the mel magnitudes  2. take the rise of each band over the loudest of itself and its neighbours two frames earlier, so that
 *    vibrato and glides, which only move energy to the next band, do not count  3. sum the rises in each register.
 *
 * Böck & Widmer, "Maximum filter vibrato suppression for onset detection", DAFx 2013 (SuperFlux).
 * Deviation: mel bands of the shared front end instead of 24 bands per octave; their centres are 0.7 to 1.4 semitones apart above 500 Hz,
 * so one neighbour on either side covers a vibrato. Sums are divided by the number of bands, so that registers are comparable.
 */

import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { windowRows } from '../signal/frame-window.ts';
import { RMS_FLOOR } from '../signal/front-end.ts';
import { createKernels, type Kernels } from '../signal/kernels.ts';
import { createLogFrames, type LogFrames } from '../signal/log-frames.ts';

export type OnsetEnvelope = {
  frameRateHz: number;
  /** All bands. */
  full: Float32Array;
  /** Up to a centre of 225 Hz: kick drums and bass. */
  low: Float32Array;
  /** From a centre of 2.9 kHz: hi-hats, sticks, consonants. */
  high: Float32Array;
};

/** log1p(10 x) of a signal of unit RMS, the input scale of the beat network too. */
const COMPRESSION_GAIN = 10;
/** 40 ms: with a window of 46 ms an attack rises for about that long. */
const LAG_FRAMES = 2;
/** Of the 81 mel bands from 30 Hz to 10 kHz: the last low band has its centre at 225 Hz, the first high one at 2,868 Hz. Set by hand. */
export const LOW_BANDS_END = 5;
export const HIGH_BANDS_START = 50;

export function computeOnsetEnvelope(mel: FrameMatrix, rms: number): OnsetEnvelope {
  const { frameCount, binCount } = mel;
  const full = new Float32Array(frameCount);
  const low = new Float32Array(frameCount);
  const high = new Float32Array(frameCount);
  const kernels = createKernels();
  const logMel = compressMel(kernels, mel, rms, LAG_FRAMES);
  const rises = kernels.allocateDoubles(3 * windowRows(LAG_FRAMES));
  logMel.visit(LAG_FRAMES, frameCount, ({ first, count, logarithms }) => {
    kernels.exports.sumRises(
      logarithms,
      count,
      binCount,
      LAG_FRAMES,
      LOW_BANDS_END,
      HIGH_BANDS_START,
      rises.pointer,
    );
    const { view } = rises;
    for (let i = 0; i < count; i++) {
      const [lowSum, middleSum, highSum] = [view[3 * i]!, view[3 * i + 1]!, view[3 * i + 2]!];
      full[first + i] = (lowSum + middleSum + highSum) / binCount;
      low[first + i] = lowSum / LOW_BANDS_END;
      high[first + i] = highSum / (binCount - HIGH_BANDS_START);
    }
  });
  return { frameRateHz: mel.frameRateHz, full, low, high };
}

/** The frames as logarithms; the `historyFrames` before the one sought stay readable. */
export function compressMel(
  kernels: Kernels,
  mel: FrameMatrix,
  rms: number,
  historyFrames: number,
): LogFrames {
  const gain = COMPRESSION_GAIN / (rms + RMS_FLOOR);
  return createLogFrames(kernels, mel, { gain, shift: 1 }, historyFrames);
}
