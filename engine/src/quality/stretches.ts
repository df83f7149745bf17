/** Summarises one channel in stretches of 32 samples (0.7 ms of CD audio) for the detectors. */

import type { Kernels } from '../signal/kernels.ts';

export const STRETCH_SAMPLES = 32;

/** Each array has one number per stretch. */
export type Stretches = {
  count: number;
  /** Largest |x|. */
  peaks: Float32Array;
  /** Largest |x[n] - 2 x[n-1] + x[n-2]|: high for clicks, low for smooth sound. */
  jolts: Float32Array;
  sums: Float32Array;
  squareSums: Float32Array;
};

/** In kernel memory at `pointer`, the four arrays `stride` floats apart. */
export type ReadStretches = Stretches & { pointer: number; stride: number };

/** Reads `sampleCount` samples at `input`, which zeros must fill up to a whole stretch; the next call overwrites the arrays. */
export function createStretchReader(
  kernels: Kernels,
  samplesMax: number,
): (input: number, sampleCount: number) => ReadStretches {
  const countMax = samplesMax / STRETCH_SAMPLES;
  const summaries = kernels.allocateFloats(4 * countMax);
  return (input, sampleCount) => {
    const count = Math.ceil(sampleCount / STRETCH_SAMPLES);
    kernels.exports.summariseStretches(input, count * STRETCH_SAMPLES, countMax, summaries.pointer);
    const part = (index: number): Float32Array =>
      summaries.view.subarray(index * countMax, index * countMax + count);
    const arrays = { peaks: part(0), jolts: part(1), sums: part(2), squareSums: part(3) };
    return { count, ...arrays, pointer: summaries.pointer, stride: countMax };
  };
}
