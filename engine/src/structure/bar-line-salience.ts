/**
 * How much does each bar line look like the beginning of a section, compared with the other bar lines of the piece?
 *
 * The mean of five signs, each in standard deviations from its mean over the piece: the contrast of what is played within four bars; the
 * contrast within eight bars, above that of the neighbouring bar lines; the contrast of the content within eight bars; how much a
 * repetition begins here; and that, above the neighbouring bar lines. Signs in deviations mean the same in a dense and in a sparse mix.
 *
 * Contrast: Foote, "Automatic Audio Segmentation Using a Measure of Audio Novelty", ICME 2000. Beginnings of repetitions: Goto, "A Chorus
 * Section Detection Method for Musical Audio Signals and Its Application to a Music Listening Station", IEEE TASLP 14(5), 2006.
 * Deviation: the signs count alike. Which five was chosen on songs of docs/algorithms.md; weights fitted there score no better on others.
 */

import { createBlockSums, createDiagonalSums, medianSimilarity } from './band-sums.ts';
import type { SelfSimilarity, SimilarityBand } from './self-similarity.ts';

const NEAR_REACH_BARS = 4;
const FAR_REACH_BARS = 8;
/** Bar lines on either side that one must stand out from. */
const NEIGHBOUR_COUNT = 2;
/** Compared before and after a bar line; more would miss where a repetition begins. */
const REPETITION_BARS = 2;
/** Bars nearer than this repeat within a phrase. */
const REPETITION_LAG_BARS_MIN = 4;
/** Signs that spread less do not differ but by rounding. */
const DEVIATION_MIN = 1e-6;

/** For the bar lines 0 to the number of bars; the first and the last, where nothing meets, are 0. */
export function rateBarLines({ texture, content }: SelfSimilarity): Float64Array {
  const repetitions = findRepetitionStarts(content);
  const signs = [
    measureContrast(texture, NEAR_REACH_BARS),
    standOut(measureContrast(texture, FAR_REACH_BARS)),
    measureContrast(content, FAR_REACH_BARS),
    repetitions,
    standOut(repetitions),
  ].map(inDeviations);
  return signs[0]!.map((_, bar) => signs.reduce((sum, sign) => sum + sign[bar]!, 0) / signs.length);
}

/** Of what follows a bar line with what precedes it: about 0 inside a section, up to 1 and more at a change. */
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

function meanOfPairs(sum: number, count: number): number {
  return count > 1 ? sum / ((count * (count - 1)) / 2) : 0;
}

/**
 * By how much more the bars after a bar line are like those after another one than the bars before the two are, for the best of the others;
 * likeness counts from what is usual in the piece.
 */
export function findRepetitionStarts(content: SimilarityBand): Float64Array {
  const { barCount, lagCount } = content;
  const starts = new Float64Array(barCount + 1);
  const usual = medianSimilarity(content);
  if (usual === null) return starts;
  const sums = createDiagonalSums(content);
  const excess = (lag: number, from: number, to: number): number =>
    (sums[to * lagCount + lag]! - sums[from * lagCount + lag]! - (to - from) * usual) / REPETITION_BARS;
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

/**
 * Each less the highest of its neighbours; beyond the ends the last bar line between two bars stands for those that are not there. The first
 * and the last of all come to nothing in deviations.
 */
function standOut(values: Float64Array): Float64Array {
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

/** Over the bar lines between two bars; all 0 when they do not differ. */
function inDeviations(values: Float64Array): Float64Array {
  const inner = values.subarray(1, -1);
  const mean = inner.reduce((sum, value) => sum + value, 0) / inner.length;
  const deviation = Math.sqrt(inner.reduce((sum, value) => sum + (value - mean) ** 2, 0) / inner.length);
  return values.map((value, bar) =>
    bar > 0 && bar < values.length - 1 && deviation > DEVIATION_MIN ? (value - mean) / deviation : 0,
  );
}
