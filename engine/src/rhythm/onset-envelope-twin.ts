import { HIGH_BANDS_START, LOW_BANDS_END } from './onset-envelope.ts';

/** Twin of the kernel sumRises: the sum of the rises of one row of logarithms over an earlier one, in each of the three registers. */
export function sumRisesTwin(now: Float32Array, past: Float32Array): [number, number, number] {
  const sums: [number, number, number] = [0, 0, 0];
  now.forEach((value, band) => {
    const rise = value - Math.max(...past.subarray(Math.max(0, band - 1), band + 2));
    if (rise > 0) sums[band < LOW_BANDS_END ? 0 : band < HIGH_BANDS_START ? 1 : 2] += rise;
  });
  return sums;
}
