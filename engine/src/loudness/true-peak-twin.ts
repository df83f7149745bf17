import { TAPS_PER_PHASE, TRUE_PEAK_PHASES } from './true-peak.ts';

/** The twin of the kernel `findInterpolatedPeak`, for one channel between silences. */
export function findTruePeakTwin(samples: ArrayLike<number>): number {
  let peak = 0;
  for (let n = 0; n < samples.length + TAPS_PER_PHASE - 1; n++) {
    for (const phase of TRUE_PEAK_PHASES) {
      const value = phase.reduce((sum, tap, k) => sum + tap * (samples[n - k] ?? 0), 0);
      peak = Math.max(peak, Math.abs(value));
    }
  }
  return peak;
}
