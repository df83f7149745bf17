/** Timed events, bounded: a ruined file has millions, and nobody reads them; all are counted. */

import type { QualityEvent, QualityEventKind } from '../result.ts';

/** Of each kind; the first ones are listed. */
const EVENTS_LISTED_MAX = 200;

export type EventList = {
  add(event: QualityEvent): void;
  finish(): { events: QualityEvent[]; eventCounts: Record<QualityEventKind, number> };
};

export function createEventList(): EventList {
  const events: QualityEvent[] = [];
  const eventCounts: Record<QualityEventKind, number> = { clipping: 0, dropout: 0, silence: 0, click: 0 };
  return {
    add(event) {
      eventCounts[event.kind]++;
      if (eventCounts[event.kind] <= EVENTS_LISTED_MAX) events.push(event);
    },
    finish() {
      events.sort((a, b) => a.startSeconds - b.startSeconds || (a.channel ?? -1) - (b.channel ?? -1));
      return { events, eventCounts };
    },
  };
}
