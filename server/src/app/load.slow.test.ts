import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import type { AppError } from '../errors.ts';
import { until } from '../test/until.ts';
import { type Load, measureLoad } from './load.ts';

let load: Load | null = null;
afterEach(() => load?.stop());

const idlePool = { busy: 0, idle: 1, waiting: 0, waitingMs: null, max: 10 };

function blockLoop(durationMs: number): void {
  const endMs = performance.now() + durationMs;
  while (performance.now() < endMs);
}

it('sees an event loop that is late, and that it has caught up', async () => {
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
  // One long turn: whoever came in meanwhile has waited, and nobody waits now. 700² / 2 / 2000 is 123 ms in the mean.
  blockLoop(700);
  await delay(1);
  expect(load.behind()).toBeNull();
  // Two more, longer: 405 ms in the mean.
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

it('sees that somebody has been waiting for a connection, and says to wait longer than that', () => {
  let waitingMs = 499;
  load = measureLoad({
    loopDelayMsMax: 60_000,
    poolWaitMsMax: 500,
    poolUse: () => ({ ...idlePool, waiting: 3, waitingMs }),
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
});

it('tells of refusals once in a while, however many there are', () => {
  const told: number[] = [];
  let shed = 0;
  load = measureLoad({
    loopDelayMsMax: 60_000,
    poolWaitMsMax: 500,
    poolUse: () => ({ ...idlePool, waiting: 3, waitingMs: 4_000 }),
    onShed: () => {
      shed += 1;
    },
    onShedding: ({ refused }) => told.push(refused),
  });
  for (let request = 0; request < 500; request += 1) expect(() => load?.assertRoom()).toThrow();
  expect(shed).toBe(500);
  expect(told).toEqual([1]);
});
