/**
 * How alike are the bars of a block, or of two stretches side by side, and what is usual in the piece?
 *
 * Running sums over a band of similarities (self-similarity.ts), so that a block costs its length and a diagonal one difference; and the median, by
 * counting.
 */

import type { SimilarityBand } from './self-similarity.ts';

/** Sum over the pairs of bars in [start, end) less than `lagEnd` apart; each call takes as long as the stretch. */
export function createBlockSums(
  band: SimilarityBand,
  lagEnd: number,
): (start: number, end: number) => number {
  // column[i * width + k]: similarity of bar i with the k bars before it that are in reach.
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

/** Median over all pairs of bars held, which lie in -1..1; null for a single bar. */
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
