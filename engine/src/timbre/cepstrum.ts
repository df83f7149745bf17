/**
 * What is the shape of the spectrum, in a few nearly uncorrelated numbers? Mel-frequency cepstral coefficients.
 *
 * Davis and Mermelstein, "Comparison of Parametric Representations for Monosyllabic Word Recognition", IEEE Trans. ASSP 28(4), 1980.
 * Here they are computed from the 81 mel bands of the front end, by the orthonormal cosine transform of natural logarithms. Magnitudes are relative to
 * the RMS of the whole file, so that gain changes nothing. Coefficient 0 is √81 times the mean log level.
 */

import type { FrameMatrix } from '../signal/frame-matrix.ts';
import type { Kernels } from '../signal/kernels.ts';
import { createLogFrames, type LogPiece } from '../signal/log-frames.ts';

export const COEFFICIENT_COUNT = 13;
/** The kernel computes two coefficients at a time, so there must be an even number; the basis of the last one is zero. */
export const PADDED_COUNT = 14;
/** Levels are clamped to 80 dB below the RMS of the file, where recordings hold only noise and dither. */
const LEVEL_FLOOR = 1e-4;
/** A frame is a pause if its strongest band is below this natural logarithm relative to the RMS of the file: 43 dB below it. Set by hand. */
export const PAUSE_LOG_LEVEL = -5;

export type CepstrumStatistics = { mean: number[]; covariance: number[][] };

/**
 * Statistics over every `stepFrames`-th frame except pauses; null if no frame is left. `audible` is the address of one zero byte for each of these
 * frames, which is set to 1 unless the frame is a pause.
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
  const add = ({ first, count, logarithms }: LogPiece): void =>
    kernels.exports.sumCepstra(
      logarithms,
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
  logMel.visit(0, mel.frameCount, add, stepFrames);
  const flagCount = Math.ceil(mel.frameCount / stepFrames);
  const flags = new Uint8Array(kernels.exports.memory.buffer, audible, flagCount);
  const audibleCount = flags.reduce((count, flag) => count + flag, 0);
  return summarise(sums.view, audibleCount);
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
export function createCosineBasis(bandCount: number): Float64Array {
  return Float64Array.from({ length: bandCount * PADDED_COUNT }, (_, index) => {
    const k = index % PADDED_COUNT;
    const band = (index - k) / PADDED_COUNT;
    if (k >= COEFFICIENT_COUNT) return 0;
    return Math.sqrt((k === 0 ? 1 : 2) / bandCount) * Math.cos((Math.PI * k * (band + 0.5)) / bandCount);
  });
}
