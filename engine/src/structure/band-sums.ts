/**
 * How alike are the bars of a block, the bars of two stretches, and any two bars of the piece?
 *
 * Running sums over a band of similarities (self-similarity.ts), with which the sum of a block takes as many steps as it has bars, and that of a
 * diagonal a single subtraction; and the median similarity, by a histogram.
 */

import type { SimilarityBand } from './self-similarity.ts';

/** Sums the similarities of the pairs of bars in [start, end) that are less than `lagEnd` apart. */
export function createBlockSums(
  band: SimilarityBand,
  lagEnd: number,
): (start: number, end: number) => number {
  // column[i * width + k]: sum of the similarities of bar i with the k bars before it.
  const width = Math.min(lagEnd, band.lagCount);
  const column = new Float64Array(band.barCount * width);
  for (let i = 0; i < band.barCount; i++) {
    for (let k = 1; k < width; k++) {
      const value = i - k >= 0 ? band.values[(i - k) * band.lagCount + k]! : 0;
      column[i * width + k] = column[i * width + k - 1]! + value;
    }
  }
  return (start, end) => {
    let sum = 0;
    for (let i = start + 1; i < end; i++) sum += column[i * width + Math.min(i - start, width - 1)]!;
    return sum;
  };
}

/** [i * lagCount + lag]: sum of the similarities of bars j and j + lag for j < i. */
export function createDiagonalSums({ barCount, lagCount, values }: SimilarityBand): Float64Array {
  const sums = new Float64Array((barCount + 1) * lagCount);
  for (let i = 0; i < barCount; i++) {
    for (let lag = 0; lag < lagCount; lag++) {
      sums[(i + 1) * lagCount + lag] = sums[i * lagCount + lag]! + values[i * lagCount + lag]!;
    }
  }
  return sums;
}

/** Steps of a thousandth. */
const MEDIAN_BIN_COUNT = 2000;

/** The lower median of the similarities, -1..1, of all pairs of bars held; null for a single bar. */
export function medianSimilarity({ barCount, lagCount, values }: SimilarityBand): number | null {
  const counts = new Float64Array(MEDIAN_BIN_COUNT + 1);
  let total = 0;
  for (let i = 0; i < barCount; i++) {
    for (let lag = 1; lag < lagCount && i + lag < barCount; lag++) {
      const bin = Math.round(((values[i * lagCount + lag]! + 1) / 2) * MEDIAN_BIN_COUNT);
      counts[Math.max(0, Math.min(MEDIAN_BIN_COUNT, bin))]!++;
      total++;
    }
  }
  if (total === 0) return null;
  let seen = 0;
  const middle = counts.findIndex((count) => {
    seen += count;
    return seen >= total / 2;
  });
  return (middle / MEDIAN_BIN_COUNT) * 2 - 1;
}
