/**
 * Where do sections begin?
 *
 * The segmentation in bars that maximises, by dynamic programming, the sum over segments of
 *   length * (how alike the bars of the segment are played + how well the whole segment recurs elsewhere)
 *   - a penalty for unusual lengths + the contrast at its beginning.
 *
 * Homogeneous blocks and the length penalty: Marmoret, Cohen and Bimbot, TISMIR 6(1), 2023 (8 bars are usual, then multiples of 4, then
 * of 2). Recurrence as fitness of a segment: Müller, Jiang and Grosche, "A Robust Fitness Measure for Capturing Repetitions in Music
 * Recordings", IEEE TASLP 21(3), 2013. Contrast: Foote, "Automatic Audio Segmentation Using a Measure of Audio Novelty", ICME 2000.
 * Deviation: the three are one sum, because each alone misses what another shows: a new verse over the old groove recurs, a new groove contrasts.
 *
 * Output: bar numbers, from 0 to the number of bars, both included.
 */

import type { SelfSimilarity, SimilarityBand } from './self-similarity.ts';

/** Longest phrase; longer sections are several phrases of one group, joined later. */
const SEGMENT_BARS_MAX = 16;
/** Bars further apart than this say nothing about homogeneity: sections evolve. */
const BLOCK_REACH_BARS = 7;
/** Shorter segments recur by chance. */
const RECURRING_BARS_MIN = 3;
const LENGTH_WEIGHT = 0.6;
const CONTRAST_WEIGHT = 1;
const CONTRAST_REACHES_BARS = [4, 8] as const;

export function segmentBars({ texture, content }: SelfSimilarity): number[] {
  const { barCount } = texture;
  const cohesion = createCohesion(texture);
  const recurrence = createRecurrence(content);
  const contrast = measureContrast(texture);
  const best = new Float64Array(barCount + 1).fill(Number.NEGATIVE_INFINITY);
  const from = new Int32Array(barCount + 1);
  best[0] = 0;
  for (let start = 0; start < barCount; start++) {
    const recurs = recurrence(start);
    const opening = best[start]! + (start > 0 ? CONTRAST_WEIGHT * contrast[start]! : 0);
    for (let length = 1; length <= SEGMENT_BARS_MAX && start + length <= barCount; length++) {
      const worth =
        cohesion(start, length) + length * recurs[length]! - LENGTH_WEIGHT * priceOfLength(length);
      if (opening + worth > best[start + length]!) {
        best[start + length] = opening + worth;
        from[start + length] = start;
      }
    }
  }
  const bounds = [barCount];
  while (bounds[0]! > 0) bounds.unshift(from[bounds[0]!]!);
  return bounds;
}

/** Contrast of what follows a bar line with what precedes it, for every bar line; about 0 inside a section, up to 1 and more at a change. */
export function measureContrast(texture: SimilarityBand): Float64Array {
  const sums = createBlockSums(texture, Math.max(...CONTRAST_REACHES_BARS) * 2);
  const contrast = new Float64Array(texture.barCount + 1);
  for (let bar = 1; bar < texture.barCount; bar++) {
    for (const reach of CONTRAST_REACHES_BARS) {
      const first = Math.max(0, bar - reach);
      const last = Math.min(texture.barCount, bar + reach);
      const before = sums(first, bar);
      const after = sums(bar, last);
      const across = sums(first, last) - before - after;
      contrast[bar]! +=
        0.5 * (meanOfPairs(before, bar - first) + meanOfPairs(after, last - bar)) -
        across / ((bar - first) * (last - bar));
    }
  }
  return contrast;
}

function meanOfPairs(sum: number, count: number): number {
  return count > 1 ? sum / ((count * (count - 1)) / 2) : 0;
}

/** Of a segment, in shares of LENGTH_WEIGHT. */
export function priceOfLength(bars: number): number {
  if (bars === 8) return 0;
  if (bars % 4 === 0) return 0.25;
  return bars % 2 === 0 ? 0.5 : 1;
}

/** Sum of similarities of near pairs of a segment, on the scale of one per bar. */
function createCohesion(texture: SimilarityBand): (start: number, length: number) => number {
  const sums = createBlockSums(texture, BLOCK_REACH_BARS + 1);
  return (start, length) => sums(start, start + length) / BLOCK_REACH_BARS;
}

/** Sum over the pairs of bars in [start, end) less than `lagEnd` apart, for stretches of at most twice the longest segment. */
function createBlockSums(band: SimilarityBand, lagEnd: number): (start: number, end: number) => number {
  const lags = Math.min(lagEnd, band.lagCount);
  // column[i * width + k]: similarity of bar i with the k bars before it that are in reach.
  const width = lags;
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

/**
 * For a start bar: by how much the best recurrence of a segment of every length exceeds what is usual between bars of the piece. A
 * recurrence is a diagonal of `content`, whole and not overlapping the segment.
 */
function createRecurrence(content: SimilarityBand): (start: number) => Float64Array {
  const { barCount, lagCount } = content;
  const usual = medianSimilarity(content);
  const sums = createDiagonalSums(content);
  const out = new Float64Array(SEGMENT_BARS_MAX + 1);
  return (start) => {
    out.fill(0);
    for (
      let length = RECURRING_BARS_MIN;
      length <= SEGMENT_BARS_MAX && start + length <= barCount;
      length++
    ) {
      let best = Number.NEGATIVE_INFINITY;
      for (let lag = length; lag < lagCount; lag++) {
        if (start + length + lag <= barCount) {
          best = Math.max(best, sums[(start + length) * lagCount + lag]! - sums[start * lagCount + lag]!);
        }
        const earlier = start - lag;
        if (earlier >= 0) {
          best = Math.max(best, sums[(earlier + length) * lagCount + lag]! - sums[earlier * lagCount + lag]!);
        }
      }
      out[length] = Math.max(0, best / length - usual);
    }
    return out;
  };
}

/** [i * lagCount + lag]: sum of the similarities of bars j and j + lag for j < i. */
function createDiagonalSums({ barCount, lagCount, values }: SimilarityBand): Float64Array {
  const sums = new Float64Array((barCount + 1) * lagCount);
  for (let i = 0; i < barCount; i++) {
    for (let lag = 0; lag < lagCount; lag++) {
      sums[(i + 1) * lagCount + lag] = sums[i * lagCount + lag]! + values[i * lagCount + lag]!;
    }
  }
  return sums;
}

const MEDIAN_BIN_COUNT = 2000;

/** Median over all pairs of bars held, by counting: similarities lie in -1..1. */
function medianSimilarity({ barCount, lagCount, values }: SimilarityBand): number {
  const counts = new Float64Array(MEDIAN_BIN_COUNT + 1);
  let total = 0;
  for (let i = 0; i < barCount; i++) {
    for (let lag = 1; lag < lagCount && i + lag < barCount; lag++) {
      const bin = Math.round(((values[i * lagCount + lag]! + 1) / 2) * MEDIAN_BIN_COUNT);
      counts[Math.max(0, Math.min(MEDIAN_BIN_COUNT, bin))]!++;
      total++;
    }
  }
  let seen = 0;
  for (let bin = 0; bin <= MEDIAN_BIN_COUNT; bin++) {
    seen += counts[bin]!;
    if (seen >= total / 2) return total > 0 ? (bin / MEDIAN_BIN_COUNT) * 2 - 1 : 0;
  }
  return 0;
}
