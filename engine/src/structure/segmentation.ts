/**
 * Where do sections begin?
 *
 * The segmentation in bars that maximises, by dynamic programming, the sum over segments of
 *   length * (how alike the bars of the segment are played + a fifth of how well the whole segment recurs elsewhere)
 *   - a penalty for unusual lengths + the salience of the bar line it begins with.
 *
 * Homogeneous blocks and the length penalty: Marmoret, Cohen and Bimbot, TISMIR 6(1), 2023 (8 bars are usual, then multiples of 4, then
 * of 2). Recurrence as fitness of a segment: Müller, Jiang and Grosche, "A Robust Fitness Measure for Capturing Repetitions in Music
 * Recordings", IEEE TASLP 21(3), 2013.
 * Deviation: all is one sum, because each alone misses what another shows: a new verse over the old groove recurs, a new groove contrasts.
 *
 * Output: bar numbers, from 0 to the number of bars, both included.
 */

import { createBlockSums, createDiagonalSums, medianSimilarity } from './band-sums.ts';
import type { SelfSimilarity, SimilarityBand } from './self-similarity.ts';

/** Longest phrase; longer sections are several phrases of one group, joined later. */
const SEGMENT_BARS_MAX = 16;
/** Bars further apart than this say nothing about homogeneity: sections evolve. The seven bands of Marmoret et al. */
const BLOCK_REACH_BARS = 7;
/** Shorter segments recur by chance. A choice. */
const RECURRING_BARS_MIN = 3;
/** Beside cohesion, unusual lengths and salience, which count once. Halving or doubling any of them changes little: docs/algorithms.md. */
const RECURRENCE_WEIGHT = 0.2;
/** The salience, in deviations, that a bar line must have for a segment to begin there, other things being equal. */
const SALIENCE_PRICE = 0.5;

/** `salience` is that of the bar lines. */
export function segmentBars({ texture, content }: SelfSimilarity, salience: Float64Array): number[] {
  const { barCount } = texture;
  const cohesion = createCohesion(texture);
  const recurrence = createRecurrence(content);
  const best = new Float64Array(barCount + 1).fill(Number.NEGATIVE_INFINITY);
  const from = new Int32Array(barCount + 1);
  best[0] = 0;
  for (let start = 0; start < barCount; start++) {
    const recurs = recurrence(start);
    const opening = best[start]! + (start > 0 ? salience[start]! - SALIENCE_PRICE : 0);
    for (let length = 1; length <= SEGMENT_BARS_MAX && start + length <= barCount; length++) {
      const worth =
        cohesion(start, length) + RECURRENCE_WEIGHT * length * recurs[length]! - priceOfLength(length);
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

/**
 * For a start bar: by how much the best recurrence of a segment of every length exceeds what is usual between bars of the piece. A
 * recurrence is a diagonal of `content`, whole and not overlapping the segment.
 */
function createRecurrence(content: SimilarityBand): (start: number) => Float64Array {
  const { barCount, lagCount } = content;
  const out = new Float64Array(SEGMENT_BARS_MAX + 1);
  const usual = medianSimilarity(content);
  if (usual === null) return () => out;
  const sums = createDiagonalSums(content);
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
