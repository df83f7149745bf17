/**
 * How similar are the bars of a block, the bars of two passages, and bars in general?
 *
 * Prefix sums over the similarity band (self-similarity.ts): a block then takes one addition per bar and a diagonal one subtraction. The median comes
 * from a histogram, so that a band of hundreds of thousands of values need not be sorted.
 */

import type { SimilarityBand } from './self-similarity.ts';

/** Returns a function that sums the similarities of all pairs of bars in [startBar, endBar) that are less than `lagEnd` bars apart. */
export function createBlockSums(
  band: SimilarityBand,
  lagEnd: number,
): (startBar: number, endBar: number) => number {
  // column[i * lagCount + k] is the sum of the similarities of bar i with the k bars before it.
  const lagCount = Math.min(lagEnd, band.lagCount);
  const column = new Float64Array(band.barCount * lagCount);
  for (let i = 0; i < band.barCount; i++) {
    for (let k = 1; k < lagCount; k++) {
      const value = i - k >= 0 ? band.values[(i - k) * band.lagCount + k]! : 0;
      column[i * lagCount + k] = column[i * lagCount + k - 1]! + value;
    }
  }
  return (startBar, endBar) => {
    let sum = 0;
    for (let i = startBar + 1; i < endBar; i++) {
      sum += column[i * lagCount + Math.min(i - startBar, lagCount - 1)]!;
    }
    return sum;
  };
}

/** At [i * lagCount + lag], the sum of the similarities of bars j and j + lag over all j < i. */
export function createDiagonalSums({ barCount, lagCount, values }: SimilarityBand): Float64Array {
  const sums = new Float64Array((barCount + 1) * lagCount);
  for (let i = 0; i < barCount; i++) {
    for (let lag = 0; lag < lagCount; lag++) {
      sums[(i + 1) * lagCount + lag] = sums[i * lagCount + lag]! + values[i * lagCount + lag]!;
    }
  }
  return sums;
}

/** Over -1..1, so that a bin is 0.001 wide. */
const MEDIAN_BIN_COUNT = 2000;

/** The lower median of the similarities, -1..1, of all pairs of different bars in the band; null for a single bar. */
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
