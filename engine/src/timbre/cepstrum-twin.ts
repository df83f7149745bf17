import { createCosineBasis, PADDED_COUNT, PAUSE_LOG_LEVEL } from './cepstrum.ts';

/** The twin of the kernel `sumCepstra`: the sum of the cepstra of these rows of logarithms, then the sums of the products of their coefficients. */
export function sumCepstraTwin(rows: readonly Float32Array[]): Float64Array {
  const sums = new Float64Array(PADDED_COUNT * (1 + PADDED_COUNT));
  for (const row of rows.filter((levels) => levels.some((level) => level > PAUSE_LOG_LEVEL))) {
    const basis = createCosineBasis(row.length);
    const cepstrum = Float64Array.from({ length: PADDED_COUNT }, (_, k) =>
      row.reduce((sum, level, band) => sum + basis[band * PADDED_COUNT + k]! * level, 0),
    );
    cepstrum.forEach((a, k) => {
      sums[k]! += a;
      cepstrum.forEach((b, n) => {
        sums[(k + 1) * PADDED_COUNT + n]! += a * b;
      });
    });
  }
  return sums;
}
