/**
 * How fast is the music, and how steady?
 *
 * 1. beats that follow each other at about the median interval form runs  2. straight lines through the beats of each run, all with the
 *    same slope, by least squares with Huber's weights: the slope is the beat period. A single interval is accurate to a few milliseconds,
 *    the slope over a song to a few microseconds  3. the same over two bars at a time gives the tempo curve.
 *
 * Huber, "Robust estimation of a location parameter", Ann. Math. Statist. 35, 1964.
 */

import { medianOf } from '../median.ts';
import type { TempoPoint } from '../result.ts';

/** An interval that differs more from the median one ends a run. Set by hand: no player is that far off, and no beat missing. */
const RUN_TOLERANCE_RATIO = 1.15;
/** Larger deviations lose weight; the timing of players scatters by 10 to 20 ms. */
const HUBER_SECONDS = 0.02;
/** Enough for the weights to converge. */
const HUBER_ROUNDS = 5;
/** Beats in the window of a point of the curve: enough to average out timing, few enough to show a ritardando. */
const CURVE_BEATS = 9;
const CURVE_STEP_BEATS = 4;
/** Root mean square of ln(local tempo / tempo) at which stability falls to 1/e: 3 % is clearly audible as push and pull. Set by ear. */
const STABILITY_SCALE_LOG_RATIO = 0.03;

export type Tempo = { bpm: number; stability: number; curve: TempoPoint[] };

/** Null for fewer than three beats. */
export function measureTempo(timesSeconds: readonly number[]): Tempo | null {
  const periodSeconds = fitPeriod(timesSeconds);
  if (periodSeconds === null) return null;
  const bpm = 60 / periodSeconds;
  const curve = traceTempo(timesSeconds);
  const spreadLogRatio = Math.sqrt(
    curve.reduce((sum, point) => sum + Math.log(point.bpm / bpm) ** 2, 0) / curve.length,
  );
  return { bpm, stability: Math.exp(-spreadLogRatio / STABILITY_SCALE_LOG_RATIO), curve };
}

/** At least one point for the three beats or more that a tempo takes. */
function traceTempo(timesSeconds: readonly number[]): TempoPoint[] {
  const points: TempoPoint[] = [];
  const windowBeats = Math.min(CURVE_BEATS, timesSeconds.length);
  for (let first = 0; first + windowBeats <= timesSeconds.length; first += CURVE_STEP_BEATS) {
    const windowSeconds = timesSeconds.slice(first, first + windowBeats);
    points.push({
      timeSeconds: windowSeconds[Math.floor(windowBeats / 2)]!,
      bpm: 60 / fitPeriod(windowSeconds)!,
    });
  }
  return points;
}

/** Seconds from beat to beat; null for fewer than three beats. */
export function fitPeriod(timesSeconds: readonly number[]): number | null {
  if (timesSeconds.length < 3) return null;
  const intervalsSeconds = timesSeconds.slice(1).map((seconds, index) => seconds - timesSeconds[index]!);
  const medianSeconds = medianOf(intervalsSeconds);
  const runs: number[][] = [[timesSeconds[0]!]];
  intervalsSeconds.forEach((intervalSeconds, index) => {
    const isRegular =
      intervalSeconds < medianSeconds * RUN_TOLERANCE_RATIO &&
      intervalSeconds > medianSeconds / RUN_TOLERANCE_RATIO;
    if (!isRegular) runs.push([]);
    runs.at(-1)!.push(timesSeconds[index + 1]!);
  });
  const useful = runs.filter((run) => run.length >= 3);
  return useful.length === 0 ? medianSeconds : fitCommonSlope(useful);
}

/** The slope, in seconds per beat, shared by the lines through all runs, which hold the times of their beats. */
function fitCommonSlope(runs: readonly number[][]): number {
  let weights = runs.map((run) => run.map(() => 1));
  let slopeSeconds = 0;
  for (let round = 0; round < HUBER_ROUNDS; round++) {
    let products = 0;
    let squares = 0;
    const centres = runs.map((run, r) => {
      const total = weights[r]!.reduce((sum, weight) => sum + weight, 0);
      const meanIndex = run.reduce((sum, _, i) => sum + weights[r]![i]! * i, 0) / total;
      const meanSeconds = run.reduce((sum, seconds, i) => sum + weights[r]![i]! * seconds, 0) / total;
      run.forEach((seconds, i) => {
        products += weights[r]![i]! * (i - meanIndex) * (seconds - meanSeconds);
        squares += weights[r]![i]! * (i - meanIndex) ** 2;
      });
      return { meanIndex, meanSeconds };
    });
    slopeSeconds = products / squares;
    weights = runs.map((run, r) =>
      run.map((seconds, i) => {
        const { meanIndex, meanSeconds } = centres[r]!;
        const deviationSeconds = Math.abs(seconds - meanSeconds - slopeSeconds * (i - meanIndex));
        return deviationSeconds <= HUBER_SECONDS ? 1 : HUBER_SECONDS / deviationSeconds;
      }),
    );
  }
  return slopeSeconds;
}
