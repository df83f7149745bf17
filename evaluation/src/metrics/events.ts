/**
 * How well do estimated event times (beats, downbeats, boundaries) match annotated ones?
 *
 * F-measure over a one-to-one matching within a tolerance: Davies, Degara, Plumbley, "Evaluation Methods for Musical
 * Audio Beat Tracking Algorithms", Queen Mary technical report C4DM-TR-09-06, 2009.
 * Input: seconds, ascending.
 */

/** MIREX's tolerance for beats, early or late. */
export const BEAT_TOLERANCE_SECONDS = 0.07;

export function harmonicMean(precision: number, recall: number): number {
  return precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0;
}

/** Size of the largest one-to-one matching. On sorted lists the greedy matching is optimal. */
export function countMatches(
  reference: readonly number[],
  estimate: readonly number[],
  toleranceSeconds: number,
): number {
  let matches = 0;
  let r = 0;
  let e = 0;
  while (r < reference.length && e < estimate.length) {
    const differenceSeconds = estimate[e]! - reference[r]!;
    if (differenceSeconds < -toleranceSeconds) e++;
    else if (differenceSeconds > toleranceSeconds) r++;
    else {
      matches++;
      r++;
      e++;
    }
  }
  return matches;
}

export function eventF(
  reference: readonly number[],
  estimate: readonly number[],
  toleranceSeconds: number,
): number {
  if (reference.length === 0 || estimate.length === 0) return 0;
  const matches = countMatches(reference, estimate, toleranceSeconds);
  return harmonicMean(matches / estimate.length, matches / reference.length);
}

/** Needs two events or more. */
export function medianIntervalSeconds(timesSeconds: readonly number[]): number {
  const intervalsSeconds = timesSeconds.slice(1).map((seconds, index) => seconds - timesSeconds[index]!);
  intervalsSeconds.sort((a, b) => a - b);
  const middle = intervalsSeconds.length >> 1;
  if (intervalsSeconds.length % 2 === 1) return intervalsSeconds[middle]!;
  return (intervalsSeconds[middle - 1]! + intervalsSeconds[middle]!) / 2;
}
