/**
 * Clicks: single discontinuities, as of vinyl, bad edits or a lost sample.
 *
 * A click throws the second difference of the signal up for a sample or two, out of calm on both sides. The attack of a
 * drum does so too, but the sound goes on after it; so the calm must hold on both sides for some milliseconds.
 * After Godsill and Rayner, "Digital Audio Restoration", 1998, chapter 5, whose autoregressive residual is replaced by the second
 * difference: a crude whitener, but one that costs nothing.
 */

import type { QualityEvent } from '../result.ts';
import { STRETCH_SAMPLES } from './stretches.ts';

/** Stretches next to the click's own may hold its tail. */
const NEAR_STRETCHES = 2;
const CALM_STRETCHES = 8;
const REACH_STRETCHES = NEAR_STRETCHES + CALM_STRETCHES;
const WINDOW_STRETCHES = 2 * REACH_STRETCHES + 1;
/** The jolt over the largest in the calm around it. On the clean recordings at hand none exceeds it (docs/quality.md). */
const RATIO_MIN = 12;
/** Smaller ones are below what anybody hears as a click. */
const JOLT_MIN = 0.02;

export type ClickDetector = { take(jolt: number): void };

export function createClickDetector(
  sampleRateHz: number,
  channel: number,
  onEvent: (event: QualityEvent) => void,
): ClickDetector {
  const recent = new Float64Array(WINDOW_STRETCHES);
  let count = 0;

  const joltAt = (stretch: number): number => recent[stretch % WINDOW_STRETCHES]!;
  const largestBetween = (first: number, last: number): number => {
    let largest = 0;
    for (let stretch = first; stretch <= last; stretch++) largest = Math.max(largest, joltAt(stretch));
    return largest;
  };

  return {
    take(jolt) {
      recent[count % WINDOW_STRETCHES] = jolt;
      count++;
      const centre = count - 1 - REACH_STRETCHES;
      if (centre < REACH_STRETCHES) return;
      const height = joltAt(centre);
      if (height < JOLT_MIN) return;
      // A click across the border of two stretches is reported once, by the higher one, the earlier when they are level.
      if (height < joltAt(centre + 1) || height <= joltAt(centre - 1)) return;
      const calm = Math.max(
        largestBetween(centre - REACH_STRETCHES, centre - NEAR_STRETCHES),
        largestBetween(centre + NEAR_STRETCHES, centre + REACH_STRETCHES),
      );
      if (height < RATIO_MIN * calm) return;
      const startSeconds = (centre * STRETCH_SAMPLES) / sampleRateHz;
      onEvent({
        kind: 'click',
        startSeconds,
        endSeconds: startSeconds + STRETCH_SAMPLES / sampleRateHz,
        channel,
        severity: Math.min(1, height),
      });
    },
  };
}
