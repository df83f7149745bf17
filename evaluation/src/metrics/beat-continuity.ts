/**
 * For how long does a beat tracker stay right without interruption?
 *
 * CMLc and CMLt (correct metrical level: longest run, total), AMLc and AMLt (double and half tempo and off-beats allowed): Hainsworth,
 * "Techniques for the Automated Analysis of Musical Audio", PhD thesis, Cambridge 2004; Klapuri, Eronen, Astola, IEEE TASLP 14(1), 2006.
 * Input: seconds, ascending. Fewer than two beats on either side score 0.
 */

/** Relative to the annotated period; from the papers. */
const PHASE_TOLERANCE_RATIO = 0.175;
const PERIOD_TOLERANCE_RATIO = 0.175;

/** Shares of the annotated or of the estimated beats, whichever are more. */
export type Continuity = { cmlc: number; cmlt: number; amlc: number; amlt: number };

export function beatContinuity(reference: readonly number[], estimate: readonly number[]): Continuity {
  if (reference.length < 2 || estimate.length < 2) return { cmlc: 0, cmlt: 0, amlc: 0, amlt: 0 };
  const [correct, ...others] = metricalVariants(reference).map((variant) => continuityOf(variant, estimate));
  const all = [correct!, ...others];
  return {
    cmlc: correct!.longest,
    cmlt: correct!.total,
    amlc: Math.max(...all.map((score) => score.longest)),
    amlt: Math.max(...all.map((score) => score.total)),
  };
}

/** The annotation first, then off-beats, double tempo, and half tempo from the first or the second beat. */
function metricalVariants(reference: readonly number[]): number[][] {
  const doubled = reference.flatMap((time, index) => {
    const next = reference[index + 1];
    return next === undefined ? [time] : [time, (time + next) / 2];
  });
  return [
    [...reference],
    doubled.filter((_, index) => index % 2 === 1),
    doubled,
    reference.filter((_, index) => index % 2 === 0),
    reference.filter((_, index) => index % 2 === 1),
  ];
}

function continuityOf(
  reference: readonly number[],
  estimate: readonly number[],
): { longest: number; total: number } {
  if (reference.length < 2) return { longest: 0, total: 0 };
  const used = new Set<number>();
  let run = 0;
  let longest = 0;
  let total = 0;
  for (let m = 0; m < estimate.length; m++) {
    const nearest = nearestIndex(reference, estimate[m]!);
    const referencePeriodSeconds = periodSecondsAt(reference, nearest, m === 0 || nearest === 0);
    const estimatePeriodSeconds = periodSecondsAt(estimate, m, m === 0 || nearest === 0);
    const correct =
      !used.has(nearest) &&
      Math.abs(estimate[m]! - reference[nearest]!) / referencePeriodSeconds < PHASE_TOLERANCE_RATIO &&
      Math.abs(1 - estimatePeriodSeconds / referencePeriodSeconds) < PERIOD_TOLERANCE_RATIO;
    if (correct) {
      used.add(nearest);
      total++;
      run++;
      longest = Math.max(longest, run);
    } else run = 0;
  }
  const count = Math.max(reference.length, estimate.length);
  return { longest: longest / count, total: total / count };
}

/** The interval before an event; with `lookAhead` the one after it, unless the event is the last. */
function periodSecondsAt(timesSeconds: readonly number[], index: number, lookAhead: boolean): number {
  if (lookAhead && index + 1 < timesSeconds.length) return timesSeconds[index + 1]! - timesSeconds[index]!;
  return timesSeconds[index]! - timesSeconds[index - 1]!;
}

function nearestIndex(timesSeconds: readonly number[], seconds: number): number {
  let low = 0;
  let high = timesSeconds.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (timesSeconds[middle]! < seconds) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return 0;
  if (low === timesSeconds.length) return low - 1;
  return seconds - timesSeconds[low - 1]! <= timesSeconds[low]! - seconds ? low - 1 : low;
}
