import type pg from 'pg';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchWaits } from './pool-waits.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A full pool; the test decides when each caller gets a connection or an error. */
function fullPool() {
  const callers: { give(client: pg.PoolClient): void; refuse(error: Error): void }[] = [];
  const connect = () =>
    new Promise<pg.PoolClient>((give, refuse) => {
      callers.push({ give, refuse });
    });
  const pool = { idleCount: 0, totalCount: 2, options: { max: 2 }, connect };
  return { pool, callers, waits: watchWaits(pool as unknown as pg.Pool) };
}

it('returns how long the longest-waiting caller has waited, and null when none waits', async () => {
  const { callers, waits } = fullPool();
  expect(waits.longestWaitMs()).toBeNull();
  const first = waits.connect();
  await vi.advanceTimersByTimeAsync(300);
  const second = waits.connect();
  await vi.advanceTimersByTimeAsync(100);
  expect(waits.longestWaitMs()).toBe(400);
  callers[0]!.give({} as pg.PoolClient);
  await first;
  expect(waits.longestWaitMs()).toBe(100);
  callers[1]!.give({} as pg.PoolClient);
  await second;
  expect(waits.longestWaitMs()).toBeNull();
});

it('counts from the start of a caller that timed out until another caller gets a connection', async () => {
  const { callers, waits } = fullPool();
  const first = waits.connect();
  callers[0]!.refuse(new Error('timeout'));
  await expect(first).rejects.toThrow('timeout');
  await vi.advanceTimersByTimeAsync(500);
  const second = waits.connect();
  expect(waits.longestWaitMs()).toBe(500);
  callers[1]!.give({} as pg.PoolClient);
  await second;
  expect(waits.longestWaitMs()).toBeNull();
});

it.each([
  ['is idle', { idleCount: 1 }],
  ['may be opened', { totalCount: 1 }],
])('counts from the start of a caller that timed out until a connection %s', async (_, change) => {
  const { pool, callers, waits } = fullPool();
  const waiting = waits.connect();
  await vi.advanceTimersByTimeAsync(500);
  callers[0]!.refuse(new Error('timeout'));
  await expect(waiting).rejects.toThrow('timeout');
  await vi.advanceTimersByTimeAsync(100);
  expect(waits.longestWaitMs()).toBe(600);
  Object.assign(pool, change);
  expect(waits.longestWaitMs()).toBeNull();
  Object.assign(pool, { idleCount: 0, totalCount: 2 });
  expect(waits.longestWaitMs()).toBeNull();
});
