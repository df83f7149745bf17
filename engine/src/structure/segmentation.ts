/**
 * Where do segments begin? Sections are made of them (grouping.ts).
 *
 * Dynamic programming finds the segmentation into bars with the largest sum over its segments of
 *   length * (similarity of texture within the segment + 0.2 * similarity of content to its best recurrence elsewhere)
 *   - a price for unusual lengths + the salience of the bar line at which it begins.
 *
 * Homogeneous blocks and the length penalty: Marmoret, Cohen and Bimbot, TISMIR 6(1), 2023 (8 bars are usual, then multiples of 4, then
 * of 2). Recurrence as fitness of a segment: Müller, Jiang and Grosche, "A Robust Fitness Measure for Capturing Repetitions in Music
 * Recordings", IEEE TASLP 21(3), 2013.
 * Deviation: one sum of all terms, because each alone misses boundaries that another finds: a new verse over the old groove recurs, a new groove
 * contrasts.
 */

import { createBlockSums, createDiagonalSums, medianSimilarity } from './band-sums.ts';
import type { SelfSimilarity, SimilarityBand } from './self-similarity.ts';

/** The longest phrase; grouping.ts joins the phrases of longer sections. */
const SEGMENT_BARS_MAX = 16;
/** Bars further apart than this do not count for homogeneity, since sections evolve. The seven bands of Marmoret et al. */
const BLOCK_REACH_BARS = 7;
/** Shorter segments recur by chance. Chosen. */
const RECURRING_BARS_MIN = 3;
/** Beside 1 for texture, lengths and salience. Halving or doubling any of the four changes little (docs/algorithms.md). */
const RECURRENCE_WEIGHT = 0.2;
/** The salience, in standard deviations, from which a bar line speaks for a new segment. */
const SALIENCE_PRICE = 0.5;

/** Bar numbers at which segments begin, and the number of bars at the end. `salience` has a value for each bar line. */
export function segmentBars({ texture, content }: SelfSimilarity, salience: Float64Array): number[] {
  const { barCount } = texture;
  const cohesion = createCohesion(texture);
  const recurrence = createRecurrence(content);
  const best = new Float64Array(barCount + 1).fill(Number.NEGATIVE_INFINITY);
  const from = new Int32Array(barCount + 1);
  best[0] = 0;
  for (let startBar = 0; startBar < barCount; startBar++) {
    const recurs = recurrence(startBar);
    const opening = best[startBar]! + (startBar > 0 ? salience[startBar]! - SALIENCE_PRICE : 0);
    for (let bars = 1; bars <= SEGMENT_BARS_MAX && startBar + bars <= barCount; bars++) {
      const worth = cohesion(startBar, bars) + RECURRENCE_WEIGHT * bars * recurs[bars]! - priceOfLength(bars);
      if (opening + worth > best[startBar + bars]!) {
        best[startBar + bars] = opening + worth;
        from[startBar + bars] = startBar;
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

/** Length times similarity of texture: the sum over near pairs of bars, scaled to one per bar. */
function createCohesion(texture: SimilarityBand): (startBar: number, bars: number) => number {
  const sums = createBlockSums(texture, BLOCK_REACH_BARS + 1);
  return (startBar, bars) => sums(startBar, startBar + bars) / BLOCK_REACH_BARS;
}

/**
 * For the segments of each length that begin at a bar: by how much the similarity to their best recurrence exceeds the median between bars of the
 * piece. A recurrence is a whole stretch of bars elsewhere, a diagonal of `content`, that does not overlap the segment.
 */
function createRecurrence(content: SimilarityBand): (startBar: number) => Float64Array {
  const { barCount, lagCount } = content;
  const out = new Float64Array(SEGMENT_BARS_MAX + 1);
  const usual = medianSimilarity(content);
  if (usual === null) return () => out;
  const sums = createDiagonalSums(content);
  return (startBar) => {
    out.fill(0);
    for (let bars = RECURRING_BARS_MIN; bars <= SEGMENT_BARS_MAX && startBar + bars <= barCount; bars++) {
      let best = Number.NEGATIVE_INFINITY;
      for (let lag = bars; lag < lagCount; lag++) {
        if (startBar + bars + lag <= barCount) {
          best = Math.max(best, sums[(startBar + bars) * lagCount + lag]! - sums[startBar * lagCount + lag]!);
        }
        const earlier = startBar - lag;
        if (earlier >= 0) {
          best = Math.max(best, sums[(earlier + bars) * lagCount + lag]! - sums[earlier * lagCount + lag]!);
        }
      }
      out[bars] = Math.max(0, best / bars - usual);
    }
    return out;
  };
}
