/**
 * Where do segments start? grouping.ts makes sections of them.
 *
 * Dynamic programming finds the segmentation with the largest sum over its segments of
 *   length * (similarity of texture within the segment + 0.2 * excess similarity of content to its best recurrence elsewhere)
 *   - a penalty for unusual lengths + the salience of the bar line where it starts - 0.5.
 *
 * Homogeneous blocks and the length penalty: Marmoret, Cohen and Bimbot, TISMIR 6(1), 2023 (8 bars are usual, then multiples of 4, then
 * of 2). Recurrence as fitness of a segment: Müller, Jiang and Grosche, "A Robust Fitness Measure for Capturing Repetitions in Music
 * Recordings", IEEE TASLP 21(3), 2013.
 * Deviation: all terms in one sum, because each finds boundaries that another misses: a new verse over the same groove shows as a recurrence, a new
 * groove as a contrast.
 */

import { createBlockSums, createDiagonalSums, medianSimilarity } from './band-sums.ts';
import type { SelfSimilarity, SimilarityBand } from './self-similarity.ts';

/** Two eight-bar phrases; grouping.ts joins the segments of longer sections. */
const SEGMENT_BARS_MAX = 16;
/** Pairs of bars further apart do not count towards homogeneity, since sections evolve; the seven bands of Marmoret et al. */
const BLOCK_REACH_BARS = 7;
/** Shorter segments recur by chance; set by hand. */
const RECURRING_BARS_MIN = 3;
/** Texture, length and salience weigh 1. Accuracy hardly changes from .15 to .3 (docs/algorithms.md). */
const RECURRENCE_WEIGHT = 0.2;
/** The salience, in standard deviations, that a bar line must exceed to favour a boundary. */
const SALIENCE_NEUTRAL = 0.5;

/** The bars at which segments start, followed by the number of bars. `salience` has one value for each bar line. */
export function segmentBars({ texture, content }: SelfSimilarity, salience: Float64Array): number[] {
  const { barCount } = texture;
  const cohesion = createCohesion(texture);
  const recurrence = createRecurrence(content);
  const best = new Float64Array(barCount + 1).fill(Number.NEGATIVE_INFINITY);
  const from = new Int32Array(barCount + 1);
  best[0] = 0;
  for (let startBar = 0; startBar < barCount; startBar++) {
    const recurs = recurrence(startBar);
    const opening = best[startBar]! + (startBar > 0 ? salience[startBar]! - SALIENCE_NEUTRAL : 0);
    for (let bars = 1; bars <= SEGMENT_BARS_MAX && startBar + bars <= barCount; bars++) {
      const score = cohesion(startBar, bars) + RECURRENCE_WEIGHT * bars * recurs[bars]! - lengthPenalty(bars);
      if (opening + score > best[startBar + bars]!) {
        best[startBar + bars] = opening + score;
        from[startBar + bars] = startBar;
      }
    }
  }
  const bounds = [barCount];
  while (bounds[0]! > 0) bounds.unshift(from[bounds[0]!]!);
  return bounds;
}

/** Eight bars are the usual length of a phrase. */
export function lengthPenalty(bars: number): number {
  if (bars === 8) return 0;
  if (bars % 4 === 0) return 0.25;
  return bars % 2 === 0 ? 0.5 : 1;
}

/** Length times similarity of texture: the sum over pairs of bars up to BLOCK_REACH_BARS apart, of which each bar has that many. */
function createCohesion(texture: SimilarityBand): (startBar: number, bars: number) => number {
  const sums = createBlockSums(texture, BLOCK_REACH_BARS + 1);
  return (startBar, bars) => sums(startBar, startBar + bars) / BLOCK_REACH_BARS;
}

/**
 * For the segments of each length that start at a bar: the similarity to their best recurrence minus the median similarity of the piece, at least 0.
 * A recurrence is an equally long passage elsewhere, a diagonal of `content`, that does not overlap the segment.
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
