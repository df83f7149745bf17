import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import type { AppError } from '../errors.ts';
import { until } from '../test/until.ts';
import { type Load, measureLoad } from './load.ts';

let load: Load | null = null;
afterEach(() => {
  load?.stop();
  vi.restoreAllMocks();
});

/** The error with which a request would be refused now; null when it would be served. */
function refusal(): AppError | null {
  try {
    load?.assertNotOverloaded();
  } catch (error) {
    return error as AppError;
  }
  return null;
}

const idlePool = { busyCount: 0, idleCount: 1, waitingCount: 0, waitingMs: null, connectionsMax: 10 };

function blockLoop(durationMs: number): void {
  const endMs = performance.now() + durationMs;
  while (performance.now() < endMs);
}

it('refuses requests while the event loop is often late, and no longer', async () => {
  const shed: string[] = [];
  load = measureLoad({
    loopDelayMsMax: 300,
    poolWaitMsMax: 500,
    poolUse: () => idlePool,
    onShed: (reason) => shed.push(reason),
    onShedding: () => {},
  });
  await delay(300);
  expect(refusal()).toBeNull();
  // One long turn is not enough: a mean of 700² / 2 / 2000 = 123 ms.
  blockLoop(700);
  await delay(1);
  expect(refusal()).toBeNull();
  // Two more, longer: at least 2 · 900² / 2 / 2000 = 405 ms.
  for (let turn = 0; turn < 2; turn += 1) {
    blockLoop(900);
    await delay(1);
  }
  expect(refusal()).toMatchObject({ code: 'overloaded', retryAfterSeconds: expect.any(Number) });
  expect(shed).toEqual(['event_loop']);
  await until(() => refusal() === null, 'it has caught up');
});

it('refuses requests when a caller waits too long for a connection; Retry-After is twice that wait, up to two seconds more, and 30 s at most', () => {
  let waitingMs = 500;
  const reported: unknown[] = [];
  load = measureLoad({
    loopDelayMsMax: 60_000,
    poolWaitMsMax: 500,
    poolUse: () => ({ ...idlePool, waitingCount: 3, waitingMs }),
    onShed: () => {},
    onShedding: (overload) => reported.push(overload),
  });
  expect(refusal()).toBeNull();
  waitingMs = 4_000;
  const random = vi.spyOn(Math, 'random').mockReturnValue(0);
  expect(refusal()?.retryAfterSeconds).toBe(8);
  expect(reported).toEqual([{ reason: 'database_pool', waitMs: 4_000, refusedCount: 1 }]);
  random.mockReturnValue(0.99);
  expect(refusal()?.retryAfterSeconds).toBe(10);
  waitingMs = 60_000;
  expect(refusal()?.retryAfterSeconds).toBe(30);
});

it('reports refusals at most every ten seconds, with how many there were', () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  const reportedCounts: number[] = [];
  let shedCount = 0;
  load = measureLoad({
    loopDelayMsMax: 60_000,
    poolWaitMsMax: 500,
    poolUse: () => ({ ...idlePool, waitingCount: 3, waitingMs: 4_000 }),
    onShed: () => {
      shedCount += 1;
    },
    onShedding: ({ refusedCount }) => reportedCounts.push(refusedCount),
  });
  for (let request = 0; request < 500; request += 1) expect(refusal()).not.toBeNull();
  expect(shedCount).toBe(500);
  expect(reportedCounts).toEqual([1]);
  now.mockReturnValue(9_999);
  expect(refusal()).not.toBeNull();
  expect(reportedCounts).toEqual([1]);
  now.mockReturnValue(10_000);
  expect(refusal()).not.toBeNull();
  expect(reportedCounts).toEqual([1, 501]);
});
