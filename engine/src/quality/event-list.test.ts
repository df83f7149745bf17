import { expect, it } from 'vitest';
import { createEventList } from './event-list.ts';

const clippingAt = (startSeconds: number, channel: number) =>
  ({ kind: 'clipping', startSeconds, endSeconds: startSeconds + 0.01, channel, severity: 1 }) as const;

it('lists the first 200 of each kind by time, whatever the order of arrival, and counts all', () => {
  const list = createEventList();
  // Clipping is reported channel by channel: all events of the left one, and then those of the right one.
  for (const channel of [0, 1]) {
    for (let second = 0; second < 1000; second++) list.add(clippingAt(second, channel));
  }
  const silence = { ...clippingAt(1500, 0), kind: 'silence', channel: null } as const;
  list.add(silence);
  const { events, eventCounts } = list.finish();
  const first = Array.from({ length: 100 }, (_, second) => [clippingAt(second, 0), clippingAt(second, 1)]);
  expect(events).toEqual([...first.flat(), silence]);
  expect(eventCounts).toEqual({ clipping: 2000, dropout: 0, silence: 1, click: 0 });
});

it('lists events that start together by channel, whatever the order of arrival, the one of all channels first', () => {
  const inOrder = [null, 0, 1].map((channel) => ({
    kind: 'silence' as const,
    startSeconds: 2,
    endSeconds: 3,
    channel,
    severity: 1,
  }));
  for (const arrival of [inOrder, inOrder.toReversed()]) {
    const list = createEventList();
    for (const event of arrival) list.add(event);
    expect(list.finish().events).toEqual(inOrder);
  }
});
