/**
 * How are the beats grouped?
 *
 * In spans of equal meter, from the tracked bars (bar-tracker.ts, bar-lines.ts). The piece has the meter that lasts longest in total. The
 * rules are our own.
 */

import type { MeterSpan, Rhythm } from '../result.ts';
import type { BeatTime } from './beat-times.ts';

/** Bars a meter must last to be reported; a few odd bars are an upbeat, or an error of the tracker. */
const CHANGE_BARS_MIN = 4;

/** `confidence` is that of the meter as a whole, and every span gets it. Null without beats. */
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
  const [longest] = [...secondsOf].sort((a, b) => b[1] - a[1]);
  if (longest === undefined) return null;
  return { beatsPerBar: longest[0], confidence, changes: kept.length > 1 ? kept : [] };
}

/** The spans that are long enough, or else the first, extended over the time of the others; adjacent spans of equal meter are merged. */
function mergeShortSpans(spans: readonly MeterSpan[], beats: readonly BeatTime[]): MeterSpan[] {
  const long = spans.filter(({ startSeconds, endSeconds, beatsPerBar }) => {
    const isInside = ({ timeSeconds }: BeatTime) => timeSeconds >= startSeconds && timeSeconds < endSeconds;
    return beats.filter(isInside).length >= CHANGE_BARS_MIN * beatsPerBar;
  });
  const kept = (long.length > 0 ? long : spans.slice(0, 1)).filter(
    ({ beatsPerBar }, index) => beatsPerBar !== long[index - 1]?.beatsPerBar,
  );
  return kept.map((span, index) => ({
    ...span,
    startSeconds: index === 0 ? spans[0]!.startSeconds : span.startSeconds,
    endSeconds: kept[index + 1]?.startSeconds ?? spans.at(-1)!.endSeconds,
  }));
}
