import type { BandRow } from './band-weights.ts';

/** The twin of the kernel `sumBands`. */
export function sumBandsTwin(spectrum: ArrayLike<number>, rows: BandRow[]): Float64Array {
  return Float64Array.from(rows, ({ firstBin, weights }) =>
    weights.reduce((sum, weight, k) => sum + weight * (spectrum[firstBin + k] ?? 0), 0),
  );
}
