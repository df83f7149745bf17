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

const idlePool = { busyCount: 0, idleCount: 1, waitingCount: 0, waitingMs: null, connectionsMax: 10 };

function blockLoop(durationMs: number): void {
  const endMs = performance.now() + durationMs;
  while (performance.now() < endMs);
}

it('is behind while the event loop is often late, and no longer', async () => {
  const shed: string[] = [];
  load = measureLoad({
    loopDelayMsMax: 300,
    poolWaitMsMax: 500,
    poolUse: () => idlePool,
    onShed: (reason) => shed.push(reason),
    onShedding: () => {},
  });
  await delay(300);
  expect(load.behind()).toBeNull();
  // One long turn is not enough: a mean of 700² / 2 / 2000 = 123 ms.
  blockLoop(700);
  await delay(1);
  expect(load.behind()).toBeNull();
  // Two more, longer: at least 2 · 900² / 2 / 2000 = 405 ms.
  for (let turn = 0; turn < 2; turn += 1) {
    blockLoop(900);
    await delay(1);
  }
  expect(load.behind()?.reason).toBe('event_loop');
  expect(() => load?.assertRoom()).toThrow(
    expect.objectContaining({
      code: 'overloaded',
      retryAfterSeconds: expect.any(Number),
    }),
  );
  expect(shed).toEqual(['event_loop']);
  await until(() => load?.behind() === null, 'it has caught up');
});

it('is behind when a caller waits too long for a connection; Retry-After is two times that wait, and up to two seconds more', () => {
  let waitingMs = 499;
  load = measureLoad({
    loopDelayMsMax: 60_000,
    poolWaitMsMax: 500,
    poolUse: () => ({ ...idlePool, waitingCount: 3, waitingMs }),
    onShed: () => {},
    onShedding: () => {},
  });
  expect(load.behind()).toBeNull();
  waitingMs = 4_000;
  expect(load.behind()).toEqual({ reason: 'database_pool', behindMs: 4_000 });
  const refusal = (() => {
    try {
      load.assertRoom();
    } catch (error) {
      return error as AppError;
    }
    return null;
  })();
  expect(refusal?.retryAfterSeconds).toBeGreaterThanOrEqual(8);
  expect(refusal?.retryAfterSeconds).toBeLessThanOrEqual(10);
});

it('reports refusals at most every ten seconds, with their number', () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  const reported: number[] = [];
  let shed = 0;
  load = measureLoad({
    loopDelayMsMax: 60_000,
    poolWaitMsMax: 500,
    poolUse: () => ({ ...idlePool, waitingCount: 3, waitingMs: 4_000 }),
    onShed: () => {
      shed += 1;
    },
    onShedding: ({ refused }) => reported.push(refused),
  });
  for (let request = 0; request < 500; request += 1) expect(() => load?.assertRoom()).toThrow();
  expect(shed).toBe(500);
  expect(reported).toEqual([1]);
  now.mockReturnValue(10_000);
  expect(() => load?.assertRoom()).toThrow();
  expect(reported).toEqual([1, 500]);
});
