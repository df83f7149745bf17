/**
 * How are the beats grouped?
 *
 * The meters of the bars as tracked (bar-tracker.ts, bar-lines.ts), each from where it begins; the one that holds longest names the piece. Ours.
 */

import type { MeterSpan, Rhythm } from '../result.ts';
import type { BeatTime } from './beat-times.ts';

/** Bars a meter must hold to be reported as a change: a single odd bar is an upbeat or a slip. A choice. */
const CHANGE_BARS_MIN = 4;

/** `confidence` is that of the bars as a whole; every span has it. Null without beats. */
export function describeMeter(
  beats: readonly BeatTime[],
  confidence: number,
  endSeconds: number,
): NonNullable<Rhythm['timeSignature']> | null {
  const spans: MeterSpan[] = [];
  for (const beat of beats) {
    const last = spans.at(-1);
    if (last?.beatsPerBar === beat.beatsPerBar) continue;
    if (last !== undefined) last.endSeconds = beat.timeSeconds;
    spans.push({
      startSeconds: beat.timeSeconds,
      endSeconds,
      beatsPerBar: beat.beatsPerBar,
      confidence,
    });
  }
  const kept = mergeShortSpans(spans, beats);
  const secondsOf = new Map<number, number>();
  for (const span of kept) {
    const seconds = span.endSeconds - span.startSeconds;
    secondsOf.set(span.beatsPerBar, (secondsOf.get(span.beatsPerBar) ?? 0) + seconds);
  }
  const [commonest] = [...secondsOf].sort((a, b) => b[1] - a[1]);
  if (commonest === undefined) return null;
  return { beatsPerBar: commonest[0], confidence, changes: kept.length > 1 ? kept : [] };
}

function mergeShortSpans(spans: readonly MeterSpan[], beats: readonly BeatTime[]): MeterSpan[] {
  const kept: MeterSpan[] = [];
  for (const span of spans) {
    const beatCount = beats.filter(
      ({ timeSeconds }) => timeSeconds >= span.startSeconds && timeSeconds < span.endSeconds,
    ).length;
    const last = kept.at(-1);
    const isShort = beatCount < CHANGE_BARS_MIN * span.beatsPerBar && spans.length > 1;
    if (last !== undefined && (isShort || last.beatsPerBar === span.beatsPerBar))
      last.endSeconds = span.endSeconds;
    else kept.push({ ...span });
  }
  return kept;
}
