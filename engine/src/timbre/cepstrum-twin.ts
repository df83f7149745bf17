import { createCosineBasis, PAUSE_LOG_LEVEL, SIZE_PADDED } from './cepstrum.ts';

/** The twin of the kernel: rows of logarithms to the same sums. */
export function sumCepstraReference(rows: readonly Float32Array[]): Float64Array {
  const sums = new Float64Array(SIZE_PADDED * (1 + SIZE_PADDED));
  for (const row of rows.filter((levels) => levels.some((level) => level > PAUSE_LOG_LEVEL))) {
    const basis = createCosineBasis(row.length);
    const cepstrum = Float64Array.from({ length: SIZE_PADDED }, (_, k) =>
      row.reduce((sum, level, band) => sum + basis[band * SIZE_PADDED + k]! * level, 0),
    );
    cepstrum.forEach((a, k) => {
      sums[k]! += a;
      cepstrum.forEach((b, n) => {
        sums[(k + 1) * SIZE_PADDED + n]! += a * b;
      });
    });
  }
  return sums;
}
