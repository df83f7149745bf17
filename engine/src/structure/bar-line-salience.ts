/**
 * How much does each bar line look like the start of a section, compared with the other bar lines of the piece?
 *
 * The mean of five cues: the contrast of texture over four bars to either side; the contrast of texture over eight bars, minus its highest value at the
 * neighbouring bar lines; the contrast of content over eight bars; how clearly a repetition starts here; and that, minus its highest value at the
 * neighbours. Each cue is standardised over the piece, which makes dense and sparse mixes comparable.
 *
 * Contrast: Foote, "Automatic Audio Segmentation Using a Measure of Audio Novelty", ICME 2000. Beginnings of repetitions: Goto, "A Chorus
 * Section Detection Method for Musical Audio Signals and Its Application to a Music Listening Station", IEEE TASLP 14(5), 2006.
 * Deviation: all cues weigh the same. They were selected on the songs named in docs/algorithms.md; weights fitted there score no better on other songs.
 */

import { createBlockSums, createDiagonalSums, medianSimilarity } from './band-sums.ts';
import type { SelfSimilarity, SimilarityBand } from './self-similarity.ts';

const NEAR_REACH_BARS = 4;
const FAR_REACH_BARS = 8;
/** Bar lines on either side that count as neighbours. */
const NEIGHBOUR_COUNT = 2;
/** Bars compared before and after a bar line; more would blur where a repetition starts. */
const REPETITION_BARS = 2;
/** Repetitions at a smaller lag are within a phrase. */
const REPETITION_LAG_BARS_MIN = 4;
/** A smaller standard deviation is rounding error. */
const DEVIATION_MIN = 1e-6;

/** One value for each bar line, from the start of the first bar to the end of the last. Those two have bars on one side only and get 0. */
export function rateBarLines({ texture, content }: SelfSimilarity): Float64Array {
  const repetitions = findRepetitionStarts(content);
  const cues = [
    measureContrast(texture, NEAR_REACH_BARS),
    subtractNeighbours(measureContrast(texture, FAR_REACH_BARS)),
    measureContrast(content, FAR_REACH_BARS),
    repetitions,
    subtractNeighbours(repetitions),
  ].map(standardise);
  return cues[0]!.map((_, bar) => cues.reduce((sum, cue) => sum + cue[bar]!, 0) / cues.length);
}

/** The mean similarity of the bars on each side of a bar line minus that across it: about 0 inside a section, 1 or more at a change. */
export function measureContrast(band: SimilarityBand, reachBars: number): Float64Array {
  const sums = createBlockSums(band, reachBars * 2);
  const contrast = new Float64Array(band.barCount + 1);
  for (let bar = 1; bar < band.barCount; bar++) {
    const first = Math.max(0, bar - reachBars);
    const last = Math.min(band.barCount, bar + reachBars);
    const before = sums(first, bar);
    const after = sums(bar, last);
    const across = sums(first, last) - before - after;
    contrast[bar] =
      0.5 * (meanOfPairs(before, bar - first) + meanOfPairs(after, last - bar)) -
      across / ((bar - first) * (last - bar));
  }
  return contrast;
}

function meanOfPairs(sum: number, barCount: number): number {
  return barCount > 1 ? sum / ((barCount * (barCount - 1)) / 2) : 0;
}

/**
 * How clearly a repetition starts at each bar line: how similar the bars after it are to those after some other bar line, minus the similarity of the
 * bars before the two. Similarities count from the median of the piece upwards, and the best other bar line decides.
 */
export function findRepetitionStarts(content: SimilarityBand): Float64Array {
  const { barCount, lagCount } = content;
  const starts = new Float64Array(barCount + 1);
  const usual = medianSimilarity(content);
  if (usual === null) return starts;
  const sums = createDiagonalSums(content);
  const excess = (lag: number, fromBar: number, toBar: number): number =>
    (sums[toBar * lagCount + lag]! - sums[fromBar * lagCount + lag]! - (toBar - fromBar) * usual) /
    REPETITION_BARS;
  for (let bar = 0; bar < barCount; bar++) {
    for (let lag = REPETITION_LAG_BARS_MIN; lag < lagCount && bar + lag < barCount; lag++) {
      const after = excess(lag, bar, Math.min(barCount - lag, bar + REPETITION_BARS));
      const before = excess(lag, Math.max(0, bar - REPETITION_BARS), bar);
      const start = after - Math.max(0, before);
      starts[bar] = Math.max(starts[bar]!, start);
      starts[bar + lag] = Math.max(starts[bar + lag]!, start);
    }
  }
  return starts;
}

/** Each value minus the highest among its neighbours. The two outer bar lines do not count: the nearest inner one takes their place. */
function subtractNeighbours(values: Float64Array): Float64Array {
  const last = values.length - 2;
  return values.map((value, bar) => {
    let highest = Number.NEGATIVE_INFINITY;
    for (let distanceBars = 1; distanceBars <= NEIGHBOUR_COUNT; distanceBars++) {
      highest = Math.max(
        highest,
        values[Math.max(1, bar - distanceBars)]!,
        values[Math.min(last, bar + distanceBars)]!,
      );
    }
    return value - highest;
  });
}

/** In standard deviations from the mean of the inner bar lines; all 0 if those are equal, and 0 at the two outer bar lines. */
function standardise(values: Float64Array): Float64Array {
  const inner = values.subarray(1, -1);
  const mean = inner.reduce((sum, value) => sum + value, 0) / inner.length;
  const deviation = Math.sqrt(inner.reduce((sum, value) => sum + (value - mean) ** 2, 0) / inner.length);
  return values.map((value, bar) =>
    bar > 0 && bar < values.length - 1 && deviation > DEVIATION_MIN ? (value - mean) / deviation : 0,
  );
}
