/** Timed events, bounded: a ruined file has millions, and nobody reads them; all are counted. */

import type { QualityEvent, QualityEventKind } from '../result.ts';

/** Of each kind; the first ones in time are listed. */
const EVENTS_LISTED_MAX = 200;

export type EventList = {
  /** In any order: some detectors know an event long after it, or one channel after the other. */
  add(event: QualityEvent): void;
  finish(): { events: QualityEvent[]; eventCounts: Record<QualityEventKind, number> };
};

export function createEventList(): EventList {
  const listed: Record<QualityEventKind, QualityEvent[]> = {
    click: [],
    dropout: [],
    silence: [],
    clipping: [],
  };
  const eventCounts: Record<QualityEventKind, number> = { clipping: 0, dropout: 0, silence: 0, click: 0 };
  return {
    add(event) {
      eventCounts[event.kind]++;
      const events = listed[event.kind];
      if (events.push(event) >= 2 * EVENTS_LISTED_MAX) keepFirst(events);
    },
    finish() {
      const kinds = Object.values(listed);
      kinds.forEach(keepFirst);
      return { events: kinds.flat().sort(compareTimes), eventCounts };
    },
  };
}

function keepFirst(events: QualityEvent[]): void {
  events.sort(compareTimes).splice(EVENTS_LISTED_MAX);
}

function compareTimes(a: QualityEvent, b: QualityEvent): number {
  return a.startSeconds - b.startSeconds || (a.channel ?? -1) - (b.channel ?? -1);
}
