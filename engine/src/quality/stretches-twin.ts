import { STRETCH_SAMPLES, type Stretches } from './stretches.ts';

/** The twin of the kernel summariseStretches, for a signal that follows silence. */
export function summariseStretchesTwin(samples: Float32Array): Stretches {
  const count = Math.ceil(samples.length / STRETCH_SAMPLES);
  const reduce = (step: (value: number, n: number) => number, largest: boolean): Float32Array =>
    Float32Array.from({ length: count }, (_, index) => {
      let result = 0;
      for (let n = index * STRETCH_SAMPLES; n < (index + 1) * STRETCH_SAMPLES; n++) {
        const value = step(samples[n] ?? 0, n);
        result = largest ? Math.max(result, value) : result + value;
      }
      return result;
    });
  return {
    count,
    peaks: reduce(Math.abs, true),
    jolts: reduce((value, n) => Math.abs(value - 2 * (samples[n - 1] ?? 0) + (samples[n - 2] ?? 0)), true),
    sums: reduce((value) => value, false),
    squareSums: reduce((value) => value * value, false),
  };
}
