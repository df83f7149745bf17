/**
 * Where does it click? Single discontinuities, from vinyl, bad edits or a lost sample.
 *
 * A click raises the second difference of the signal (its jolt) for a sample or two, with calm on both sides. The attack of a drum does so
 * too, but its sound continues, so both sides must be calm for some milliseconds.
 * After Godsill and Rayner, "Digital Audio Restoration", 1998, chapter 5, whose autoregressive residual is replaced by the second
 * difference: a crude whitener, but one that costs nothing.
 */

import type { QualityEvent } from '../result.ts';
import { STRETCH_SAMPLES } from './stretches.ts';

/** The stretch next to the click's own may hold its tail; the nine beyond it, 6.5 ms of CD audio, must be calm, on either side. */
const TAIL_STRETCHES = 1;
const CALM_STRETCHES = 9;
const REACH_STRETCHES = TAIL_STRETCHES + CALM_STRETCHES;
/** A click's jolt over the largest in the calm around it. In 187 excerpts of released music 7 jolts exceed it (docs/algorithms.md). */
const RATIO_MIN = 12;
/** The jolt of a single sample that is off by a hundredth of full scale; softer clicks are hardly audible. */
const JOLT_MIN = 0.02;

export type ClickDetector = { take(jolts: Float32Array): void };

/** `stretchesMax` is the most stretches that one call of `take` may bring. */
export function createClickDetector(
  sampleRateHz: number,
  channel: number,
  stretchesMax: number,
  onEvent: (event: QualityEvent) => void,
): ClickDetector {
  // Holds as many stretches of earlier calls as a click needs on both sides, followed by those of the present call.
  const historyStretches = 2 * REACH_STRETCHES;
  const held = new Float32Array(historyStretches + stretchesMax);
  let heldCount = 0;
  let firstHeldIndex = 0;

  const isClick = (centre: number): boolean => {
    const height = held[centre]!;
    // A click across the boundary of two stretches is reported once: in the one of higher jolt, or the earlier of equals.
    if (height < held[centre + 1]! || height <= held[centre - 1]!) return false;
    const calmMax = height / RATIO_MIN;
    for (let offset = TAIL_STRETCHES + 1; offset <= REACH_STRETCHES; offset++) {
      if (held[centre - offset]! > calmMax || held[centre + offset]! > calmMax) return false;
    }
    return true;
  };

  return {
    take(jolts) {
      held.set(jolts, heldCount);
      heldCount += jolts.length;
      for (let centre = REACH_STRETCHES; centre < heldCount - REACH_STRETCHES; centre++) {
        if (held[centre]! < JOLT_MIN || !isClick(centre)) continue;
        const startSeconds = ((firstHeldIndex + centre) * STRETCH_SAMPLES) / sampleRateHz;
        onEvent({
          kind: 'click',
          startSeconds,
          endSeconds: startSeconds + STRETCH_SAMPLES / sampleRateHz,
          channel,
          severity: Math.min(1, held[centre]!),
        });
      }
      const dropped = Math.max(0, heldCount - historyStretches);
      held.copyWithin(0, dropped, heldCount);
      heldCount -= dropped;
      firstHeldIndex += dropped;
    },
  };
}
