import { expect, test } from 'vitest';
import { createEventHub } from './event-hub.ts';
import type { Database } from './postgres.ts';

test('who has left twice does not take along who came for the same analysis since', async () => {
  let notify = (_analysisId: string | null) => {};
  const listen: Database['listen'] = async (_channel, handler) => {
    notify = handler;
    return () => {};
  };
  const hub = createEventHub({ listen }, 'news');
  const leave = await hub.subscribe('job_a', () => {});
  leave();
  let woken = 0;
  await hub.subscribe('job_a', () => {
    woken += 1;
  });
  leave();
  notify('job_a');
  expect(woken).toBe(1);
});

test('listens again when it could not, and once for all who come then', async () => {
  const answers: (() => Promise<() => void>)[] = [
    () => Promise.reject(new Error('away')),
    async () => () => {},
  ];
  let tries = 0;
  const hub = createEventHub({ listen: () => answers[tries++]!() }, 'news');
  const first = [hub.subscribe('a', () => {}), hub.subscribe('b', () => {})];
  expect((await Promise.allSettled(first)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await Promise.all([hub.subscribe('a', () => {}), hub.subscribe('b', () => {})]);
  expect(tries).toBe(2);
});
