import { AppError } from '../errors.ts';
import type { PoolUse } from '../platform/metrics.ts';

/**
 * Detects when this process is overloaded, from the waiting times of two queues:
 *
 * - the event loop: how long a request waits for its turn, as the mean over the last two seconds. A timer of 20 ms shows how late
 *   each turn is. A turn that is late by d delays the requests that arrive during it by d/2 on average, and their number is
 *   proportional to d, so the mean over a window W is Σd²/2W. One long turn is no overload; many are.
 * - the database pool: how long the longest-waiting caller has waited for a connection, or, once callers have timed out, how
 *   long no caller has got one.
 *
 * During an overload, new requests are refused at once: in the queue they would be answered too late anyway.
 */
export type Load = {
  /** Throws 503 `overloaded` while either queue takes too long. */
  assertNotOverloaded(): void;
  stop(): void;
};

type Overload = { reason: 'event_loop' | 'database_pool'; waitMs: number };

export type LoadOptions = {
  loopDelayMsMax: number;
  poolWaitMsMax: number;
  poolUse: () => PoolUse;
  onShed: (reason: Overload['reason']) => void;
  /** Called at most every ten seconds, with the number of requests refused since the last call. */
  onShedding: (overload: Overload & { refusedCount: number }) => void;
};

/** Fifty wake-ups a second cost next to nothing. */
const TICK_MS = 20;
/** An overload is noticed, and forgotten, within this time. */
const WINDOW_MS = 2_000;
/** However long a pool has been exhausted, clients should notice soon that it has recovered. */
const RETRY_SECONDS_MAX = 30;
const REPORT_INTERVAL_MS = 10_000;

export function measureLoad(options: LoadOptions): Load {
  /** Late turns of the event loop, oldest first. */
  const lateTurns: { atMs: number; lateMs: number }[] = [];
  let tickMs = performance.now();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const lateMs = nowMs - tickMs - TICK_MS;
    tickMs = nowMs;
    if (lateMs > TICK_MS) lateTurns.push({ atMs: nowMs, lateMs });
    while (lateTurns[0] !== undefined && lateTurns[0].atMs < nowMs - WINDOW_MS) lateTurns.shift();
  }, TICK_MS);
  timer.unref();

  const loopWaitMs = (): number => {
    const nowMs = performance.now();
    const currentMs = Math.max(0, nowMs - tickMs - TICK_MS);
    const squares = lateTurns.reduce(
      (sum, { atMs, lateMs }) => (atMs < nowMs - WINDOW_MS ? sum : sum + lateMs * lateMs),
      currentMs * currentMs,
    );
    return squares / 2 / WINDOW_MS;
  };

  const findOverload = (): Overload | null => {
    const waitMs = loopWaitMs();
    if (waitMs > options.loopDelayMsMax) return { reason: 'event_loop', waitMs };
    const { waitingMs } = options.poolUse();
    if (waitingMs !== null && waitingMs > options.poolWaitMsMax)
      return { reason: 'database_pool', waitMs: waitingMs };
    return null;
  };

  let refusedCount = 0;
  let reportedMs: number | null = null;
  const report = (overload: Overload) => {
    refusedCount += 1;
    if (reportedMs !== null && performance.now() - reportedMs < REPORT_INTERVAL_MS) return;
    reportedMs = performance.now();
    options.onShedding({ ...overload, refusedCount });
    refusedCount = 0;
  };

  return {
    assertNotOverloaded() {
      const overload = findOverload();
      if (overload === null) return;
      options.onShed(overload.reason);
      report(overload);
      throw overloaded(overload);
    },
    stop() {
      clearInterval(timer);
    },
  };
}

/** Asks clients to wait twice as long as the queue takes, so that it empties, plus up to 2 s at random, so that they return spread out. */
function overloaded({ waitMs }: Overload): AppError {
  const seconds = Math.ceil((2 * waitMs) / 1000 + 2 * Math.random());
  return new AppError(
    'overloaded',
    'This service has more requests than it can answer right now. Try again soon.',
    { retryAfterSeconds: Math.min(RETRY_SECONDS_MAX, seconds) },
  );
}
