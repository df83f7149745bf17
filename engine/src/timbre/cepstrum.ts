/**
 * Mel-frequency cepstral coefficients: the shape of the spectrum in a few numbers that hardly depend on one another.
 *
 * Davis and Mermelstein, "Comparison of Parametric Representations for Monosyllabic Word Recognition", IEEE Trans. ASSP 28(4), 1980.
 * Here over the 81 mel bands of the front end, in natural logarithms of the magnitude relative to the level of the whole file, so that the
 * gain of a recording leaves them alone; the transform is the orthonormal cosine transform. Coefficient 0 is the mean log level.
 */

import type { FrameMatrix } from '../signal/frame-matrix.ts';
import type { Kernels } from '../signal/kernels.ts';
import { createLogFrames } from '../signal/log-frames.ts';

export const CEPSTRUM_SIZE = 13;
/** The kernel computes two coefficients at a time; the last one's basis is zero. */
export const SIZE_PADDED = 14;
/** -80 dB of the file's level: what is quieter is equally silent. */
const LEVEL_FLOOR = 1e-4;
/** Of the strongest band, in natural logarithms over the file's level: noise 38 dB below that level is a pause. */
export const PAUSE_LOG_LEVEL = -5;

export type CepstrumStatistics = { mean: number[]; covariance: number[][] };

/**
 * Statistics over every `step`-th frame that is no pause; null when there is none. The bytes at `audible`, one for each of those frames, all
 * zero, become 1 for those that are heard.
 */
export function measureCepstrum(
  kernels: Kernels,
  mel: FrameMatrix,
  rms: number,
  step: number,
  audible: number,
): CepstrumStatistics | null {
  const basis = kernels.copyDoubles(createCosineBasis(mel.binCount)).pointer;
  const cepstrum = kernels.allocateDoubles(SIZE_PADDED).pointer;
  const sums = kernels.allocateDoubles(SIZE_PADDED * (1 + SIZE_PADDED));
  const logMel = createLogFrames(kernels, mel, { gain: rms > 0 ? 1 / rms : 0, floor: LEVEL_FLOOR });
  const add = (rows: number, count: number, first: number): void =>
    kernels.exports.sumCepstra(
      rows,
      count,
      step,
      mel.binCount,
      PAUSE_LOG_LEVEL,
      audible + first / step,
      basis,
      SIZE_PADDED,
      cepstrum,
      sums.pointer,
    );
  logMel.visit(0, mel.frameCount, ({ first, count, logarithms }) => add(logarithms, count, first), step);
  const heard = new Uint8Array(kernels.exports.memory.buffer, audible, Math.ceil(mel.frameCount / step));
  return summarise(
    sums.view,
    heard.reduce((count, flag) => count + flag, 0),
  );
}

/** Mean and covariance from the sums of `count` cepstra and of their products. */
function summarise(sums: Float64Array, count: number): CepstrumStatistics | null {
  if (count === 0) return null;
  const mean = Array.from(sums.subarray(0, CEPSTRUM_SIZE), (sum) => sum / count);
  const covariance = mean.map((_, a) =>
    mean.map((_, b) => sums[(a + 1) * SIZE_PADDED + b]! / count - mean[a]! * mean[b]!),
  );
  return { mean, covariance };
}

/** [band][coefficient]. */
export function createCosineBasis(size: number): Float64Array {
  return Float64Array.from({ length: size * SIZE_PADDED }, (_, index) => {
    const k = index % SIZE_PADDED;
    const n = (index - k) / SIZE_PADDED;
    if (k >= CEPSTRUM_SIZE) return 0;
    return Math.sqrt((k === 0 ? 1 : 2) / size) * Math.cos((Math.PI * k * (n + 0.5)) / size);
  });
}
