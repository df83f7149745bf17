import type pg from 'pg';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchWaits } from './pool-waits.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A full pool whose answers the test gives. */
function fullPool() {
  const callers: { give(client: pg.PoolClient): void; refuse(error: Error): void }[] = [];
  const connect = () =>
    new Promise<pg.PoolClient>((give, refuse) => {
      callers.push({ give, refuse });
    });
  const pool = { idleCount: 0, totalCount: 2, options: { max: 2 }, connect };
  return { pool, callers, waits: watchWaits(pool as unknown as pg.Pool) };
}

it('tells the longest of those who wait, and null when nobody does', async () => {
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

it('remembers those who gave up until somebody has got a connection, or there is one to be had', async () => {
  const { pool, callers, waits } = fullPool();
  const inVain = waits.connect();
  await vi.advanceTimersByTimeAsync(500);
  callers[0]!.refuse(new Error('timeout'));
  await expect(inVain).rejects.toThrow('timeout');
  await vi.advanceTimersByTimeAsync(100);
  expect(waits.longestWaitMs()).toBe(600);
  pool.idleCount = 1;
  expect(waits.longestWaitMs()).toBeNull();
  pool.idleCount = 0;
  expect(waits.longestWaitMs()).toBeNull();
});
