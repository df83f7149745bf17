/**
 * The samples of one channel condensed to stretches of 32 (0.7 ms of CD audio), on which the detectors decide.
 */

import type { Kernels } from '../signal/kernels.ts';

export const STRETCH_SAMPLES = 32;

export type Stretch = {
  /** Largest |x|. */
  peak: number;
  /** Largest |x[n] - 2 x[n-1] + x[n-2]|: what a click has much of and smooth sound little. */
  jolt: number;
  sum: number;
  squareSum: number;
};

const NUMBERS_PER_STRETCH = 4;

/** Calls `onStretch` for each stretch at `input`; the last may hold zeros behind the end. The object is reused. */
export function createStretchReader(
  kernels: Kernels,
  samplesMax: number,
): (input: number, sampleCount: number, onStretch: (stretch: Stretch) => void) => void {
  const summaries = kernels.allocateFloats((samplesMax / STRETCH_SAMPLES) * NUMBERS_PER_STRETCH);
  const stretch: Stretch = { peak: 0, jolt: 0, sum: 0, squareSum: 0 };
  return (input, sampleCount, onStretch) => {
    const count = Math.ceil(sampleCount / STRETCH_SAMPLES);
    kernels.exports.summariseStretches(input, count * STRETCH_SAMPLES, summaries.pointer);
    const view = summaries.view;
    for (let at = 0; at < count * NUMBERS_PER_STRETCH; at += NUMBERS_PER_STRETCH) {
      stretch.peak = view[at]!;
      stretch.jolt = view[at + 1]!;
      stretch.sum = view[at + 2]!;
      stretch.squareSum = view[at + 3]!;
      onStretch(stretch);
    }
  };
}

/** The twin of the kernel, for a signal with silence before it. */
export function summariseStretchesReference(samples: Float32Array): Stretch[] {
  return Array.from({ length: Math.ceil(samples.length / STRETCH_SAMPLES) }, (_, index) => {
    const first = index * STRETCH_SAMPLES;
    const part = samples.subarray(first, first + STRETCH_SAMPLES);
    const jolts = Array.from({ length: STRETCH_SAMPLES }, (_, n) =>
      Math.abs((samples[first + n] ?? 0) - 2 * (samples[first + n - 1] ?? 0) + (samples[first + n - 2] ?? 0)),
    );
    return {
      peak: part.reduce((peak, value) => Math.max(peak, Math.abs(value)), 0),
      jolt: Math.max(...jolts),
      sum: part.reduce((sum, value) => sum + value, 0),
      squareSum: part.reduce((sum, value) => sum + value * value, 0),
    };
  });
}
