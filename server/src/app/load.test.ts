import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { AppError } from '../errors.ts';
import { type Load, measureLoad } from './load.ts';

/** The time that the event loop sees; timers fire only in `endTurn`. */
let nowMs = 0;
let load: Load | null = null;
beforeEach(() => {
  nowMs = 0;
  vi.useFakeTimers();
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(() => {
  load?.stop();
  vi.restoreAllMocks();
  vi.useRealTimers();
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

/** A turn of the event loop that ends `lateMs` after the tick of 20 ms was due. */
function endTurn(lateMs: number): void {
  nowMs += 20 + lateMs;
  vi.advanceTimersByTime(20);
}

it('refuses requests while the mean wait for the event loop, Σd²/2W over two seconds, is above its limit', () => {
  const shed: string[] = [];
  const reported: unknown[] = [];
  load = measureLoad({
    loopDelayMsMax: 250,
    poolWaitMsMax: 500,
    poolUse: () => idlePool,
    onShed: (reason) => shed.push(reason),
    onShedding: (overload) => reported.push(overload),
  });
  for (let turn = 0; turn < 100; turn += 1) endTurn(20);
  expect(refusal()).toBeNull();
  // 600² / 4000 = 90 ms: one long turn is no overload. (600² + 800²) / 4000 = 250 ms is not above the limit.
  endTurn(600);
  expect(refusal()).toBeNull();
  endTurn(800);
  expect(refusal()).toBeNull();
  // A turn that has not ended counts too: 40² more are 250.4 ms.
  nowMs += 20 + 40;
  expect(refusal()).toMatchObject({ code: 'overloaded' });
  expect([shed, reported]).toEqual([
    ['event_loop'],
    [{ reason: 'event_loop', waitMs: 250.4, refusedCount: 1 }],
  ]);
});

it('forgets a late turn of the event loop after two seconds', () => {
  load = measureLoad({
    loopDelayMsMax: 200,
    poolWaitMsMax: 500,
    poolUse: () => idlePool,
    onShed: () => {},
    onShedding: () => {},
  });
  endTurn(1_000);
  for (let turn = 0; turn < 100; turn += 1) {
    expect(refusal()).not.toBeNull();
    endTurn(0);
  }
  expect(refusal()).not.toBeNull();
  endTurn(0);
  expect(refusal()).toBeNull();
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
  nowMs = 9_999;
  expect(refusal()).not.toBeNull();
  expect(reportedCounts).toEqual([1]);
  nowMs = 10_000;
  expect(refusal()).not.toBeNull();
  expect(reportedCounts).toEqual([1, 501]);
});
