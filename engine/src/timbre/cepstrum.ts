/**
 * What shape does the spectrum have, in a few nearly uncorrelated numbers? Mel-frequency cepstral coefficients.
 *
 * Davis and Mermelstein, "Comparison of Parametric Representations for Monosyllabic Word Recognition", IEEE Trans. ASSP 28(4), 1980.
 * Here over the 81 mel bands of the front end, in natural logarithms of the magnitude relative to the level of the whole file, so that they do
 * not depend on gain; the transform is the orthonormal cosine transform. Coefficient 0 is the mean log level.
 */

import type { FrameMatrix } from '../signal/frame-matrix.ts';
import type { Kernels } from '../signal/kernels.ts';
import { createLogFrames } from '../signal/log-frames.ts';

export const COEFFICIENT_COUNT = 13;
/** The kernel computes two coefficients at a time; the last one's basis is zero. */
export const PADDED_COUNT = 14;
/** Chosen: everything 80 dB or more below the level of the file counts as 80 dB below. */
const LEVEL_FLOOR = 1e-4;
/** Chosen: a frame is a pause when its strongest band is below this, in natural logarithms relative to the level of the file (noise 38 dB below it). */
export const PAUSE_LOG_LEVEL = -5;

export type CepstrumStatistics = { mean: number[]; covariance: number[][] };

/**
 * Statistics over every `stepFrames`-th frame, pauses excluded; null when there is none. `audible` is the address of one zero byte for each of these
 * frames; it becomes 1 where the frame is no pause.
 */
export function measureCepstrum(
  kernels: Kernels,
  mel: FrameMatrix,
  rms: number,
  stepFrames: number,
  audible: number,
): CepstrumStatistics | null {
  const basis = kernels.copyDoubles(createCosineBasis(mel.binCount)).pointer;
  const cepstrum = kernels.allocateDoubles(PADDED_COUNT).pointer;
  const sums = kernels.allocateDoubles(PADDED_COUNT * (1 + PADDED_COUNT));
  const logMel = createLogFrames(kernels, mel, { gain: rms > 0 ? 1 / rms : 0, floor: LEVEL_FLOOR });
  const add = (rows: number, count: number, first: number): void =>
    kernels.exports.sumCepstra(
      rows,
      count,
      stepFrames,
      mel.binCount,
      PAUSE_LOG_LEVEL,
      audible + first / stepFrames,
      basis,
      PADDED_COUNT,
      cepstrum,
      sums.pointer,
    );
  logMel.visit(
    0,
    mel.frameCount,
    ({ first, count, logarithms }) => add(logarithms, count, first),
    stepFrames,
  );
  const heard = new Uint8Array(
    kernels.exports.memory.buffer,
    audible,
    Math.ceil(mel.frameCount / stepFrames),
  );
  return summarise(
    sums.view,
    heard.reduce((count, flag) => count + flag, 0),
  );
}

/** Mean and covariance from the sums of `count` cepstra and of their products. */
function summarise(sums: Float64Array, count: number): CepstrumStatistics | null {
  if (count === 0) return null;
  const mean = Array.from(sums.subarray(0, COEFFICIENT_COUNT), (sum) => sum / count);
  const covariance = mean.map((_, a) =>
    mean.map((_, b) => sums[(a + 1) * PADDED_COUNT + b]! / count - mean[a]! * mean[b]!),
  );
  return { mean, covariance };
}

/** [band][coefficient]. */
export function createCosineBasis(size: number): Float64Array {
  return Float64Array.from({ length: size * PADDED_COUNT }, (_, index) => {
    const k = index % PADDED_COUNT;
    const n = (index - k) / PADDED_COUNT;
    if (k >= COEFFICIENT_COUNT) return 0;
    return Math.sqrt((k === 0 ? 1 : 2) / size) * Math.cos((Math.PI * k * (n + 0.5)) / size);
  });
}
