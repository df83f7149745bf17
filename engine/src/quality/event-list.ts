/** A bounded list of timed events, because a badly damaged file has millions: all are counted, the first of each kind are listed. */

import type { QualityEvent, QualityEventKind } from '../result.ts';

/** Of each kind; published in docs/result-format.md. */
const EVENTS_LISTED_MAX = 200;
/** At this number, those that will not be listed are dropped; twice as many as can be listed, so that they are rarely sorted. */
const EVENTS_HELD_MAX = 2 * Object.keys(countNone()).length * EVENTS_LISTED_MAX;

export type EventList = {
  /** Takes events in any order: some detectors report one channel after the other, and only at the end of the recording. */
  add(event: QualityEvent): void;
  finish(): { events: QualityEvent[]; eventCounts: Record<QualityEventKind, number> };
};

export function createEventList(): EventList {
  const eventCounts = countNone();
  let events: QualityEvent[] = [];
  return {
    add(event) {
      eventCounts[event.kind]++;
      if (events.push(event) >= EVENTS_HELD_MAX) events = listFirst(events);
    },
    finish: () => ({ events: listFirst(events), eventCounts }),
  };
}

function listFirst(events: QualityEvent[]): QualityEvent[] {
  const listed = countNone();
  return events
    .sort((a, b) => a.startSeconds - b.startSeconds || rankOf(a) - rankOf(b))
    .filter(({ kind }) => listed[kind]++ < EVENTS_LISTED_MAX);
}

/** Orders events that start together: first the one of all channels, then by channel. */
function rankOf({ channel }: QualityEvent): number {
  return channel === null ? 0 : 1 + channel;
}

function countNone(): Record<QualityEventKind, number> {
  return { clipping: 0, dropout: 0, silence: 0, click: 0 };
}
