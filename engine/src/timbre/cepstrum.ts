/**
 * Mel-frequency cepstral coefficients: the shape of the spectrum in a few numbers that hardly depend on one another.
 *
 * Davis and Mermelstein, "Comparison of Parametric Representations for Monosyllabic Word Recognition", IEEE Trans. ASSP 28(4), 1980.
 * Here over the 81 mel bands of the front end, in natural logarithms of the magnitude relative to the level of the whole file, so that the
 * gain of a recording leaves them alone; the transform is the orthonormal cosine transform. Coefficient 0 is the mean log level.
 */

import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { createKernels } from '../signal/kernels.ts';
import { createLogFrames } from '../signal/log-frames.ts';

export const CEPSTRUM_SIZE = 13;
/** -80 dB of the file's level: what is quieter is equally silent. */
const LEVEL_FLOOR = 1e-4;

export type CepstrumStatistics = { mean: number[]; covariance: number[][] };

/** `logMel` as of `takeLogMel`. Frames marked false are left out; null when none is left. */
export function measureCepstrum(logMel: FrameMatrix, audible: readonly boolean[]): CepstrumStatistics | null {
  const basis = createCosineBasis(logMel.binCount);
  const mean = new Float64Array(CEPSTRUM_SIZE);
  const products = new Float64Array(CEPSTRUM_SIZE * CEPSTRUM_SIZE);
  const frame = new Float64Array(CEPSTRUM_SIZE);
  let count = 0;
  for (let i = 0; i < logMel.frameCount; i++) {
    if (!audible[i]) continue;
    count++;
    const from = i * logMel.binCount;
    for (let k = 0; k < CEPSTRUM_SIZE; k++) {
      const row = basis[k]!;
      let sum = 0;
      for (let band = 0; band < logMel.binCount; band++) sum += row[band]! * logMel.data[from + band]!;
      frame[k] = sum;
      mean[k]! += sum;
    }
    for (let a = 0; a < CEPSTRUM_SIZE; a++) {
      for (let b = a; b < CEPSTRUM_SIZE; b++) products[a * CEPSTRUM_SIZE + b]! += frame[a]! * frame[b]!;
    }
  }
  if (count === 0) return null;
  const means = Array.from(mean, (sum) => sum / count);
  const covariance = means.map((_, a) =>
    means.map((_, b) => {
      const product = products[Math.min(a, b) * CEPSTRUM_SIZE + Math.max(a, b)]! / count;
      return product - means[a]! * means[b]!;
    }),
  );
  return { mean: means, covariance };
}

/** Logarithms of every `step`-th frame, relative to the file's level. */
export function takeLogMel(mel: FrameMatrix, rms: number, step: number): FrameMatrix {
  const { binCount } = mel;
  const frameCount = Math.ceil(mel.frameCount / step);
  const data = new Float32Array(frameCount * binCount);
  const logMel = createLogFrames(createKernels(), mel, { gain: rms > 0 ? 1 / rms : 0, floor: LEVEL_FLOOR });
  for (let i = 0; i < frameCount; i++) {
    const from = logMel.seek(i * step);
    data.set(logMel.data.subarray(from, from + binCount), i * binCount);
  }
  return { frameRateHz: mel.frameRateHz / step, binCount, frameCount, data };
}

function createCosineBasis(size: number): Float64Array[] {
  return Array.from({ length: CEPSTRUM_SIZE }, (_, k) =>
    Float64Array.from(
      { length: size },
      (_, n) => Math.sqrt((k === 0 ? 1 : 2) / size) * Math.cos((Math.PI * k * (n + 0.5)) / size),
    ),
  );
}
