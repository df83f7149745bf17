import { AppError } from '../errors.ts';
import type { PoolUse } from '../platform/metrics.ts';

/**
 * Whether this process is behind with its work, measured at two queues:
 *
 * - the event loop: how long a request waits for its turn, as the mean over the last two seconds. A timer of 20 ms shows how late
 *   each turn is. A turn that is late by d delays the requests that arrive during it by d/2 on average, and their number is
 *   proportional to d, so the mean over a window W is Σd²/2W. One long turn is no overload; many are.
 * - the database pool: how long the longest waiting caller has waited for a connection, or for how long no waiting caller has got one.
 *
 * While it is behind, new requests are refused at once: in the queue they would be answered too late anyway.
 */
export type Load = {
  /** Null while there is room. */
  behind(): Overload | null;
  /** Throws 503 `overloaded` while this process is behind. */
  assertRoom(): void;
  stop(): void;
};

export type Overload = { reason: 'event_loop' | 'database_pool'; behindMs: number };

export type LoadOptions = {
  loopDelayMsMax: number;
  poolWaitMsMax: number;
  poolUse: () => PoolUse;
  onShed: (reason: Overload['reason']) => void;
  /** Called at most every ten seconds, with the number of requests refused since the last call. */
  onShedding: (overload: Overload & { refused: number }) => void;
};

/** All four are chosen: an overload is noticed within two seconds, at no noticeable cost, and reporting it adds little load. */
const TICK_MS = 20;
const WINDOW_MS = 2_000;
const RETRY_SECONDS_MAX = 30;
const REPORT_INTERVAL_MS = 10_000;

export function measureLoad(options: LoadOptions): Load {
  /** Late turns, oldest first. */
  const late: { atMs: number; byMs: number }[] = [];
  let tickMs = performance.now();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const byMs = nowMs - tickMs - TICK_MS;
    tickMs = nowMs;
    if (byMs > TICK_MS) late.push({ atMs: nowMs, byMs });
    while (late[0] !== undefined && late[0].atMs < nowMs - WINDOW_MS) late.shift();
  }, TICK_MS);
  timer.unref();

  const loopWaitMs = (): number => {
    const nowMs = performance.now();
    const currentMs = Math.max(0, nowMs - tickMs - TICK_MS);
    const squares = late.reduce(
      (sum, { atMs, byMs }) => (atMs < nowMs - WINDOW_MS ? sum : sum + byMs * byMs),
      currentMs * currentMs,
    );
    return squares / 2 / WINDOW_MS;
  };

  const behind = (): Overload | null => {
    const waitMs = loopWaitMs();
    if (waitMs > options.loopDelayMsMax) return { reason: 'event_loop', behindMs: waitMs };
    const { waitingMs } = options.poolUse();
    if (waitingMs !== null && waitingMs > options.poolWaitMsMax)
      return { reason: 'database_pool', behindMs: waitingMs };
    return null;
  };

  let refused = 0;
  let reportedMs: number | null = null;
  const report = (overload: Overload) => {
    refused += 1;
    if (reportedMs !== null && performance.now() - reportedMs < REPORT_INTERVAL_MS) return;
    reportedMs = performance.now();
    options.onShedding({ ...overload, refused });
    refused = 0;
  };

  return {
    behind,
    assertRoom() {
      const overload = behind();
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

/** Asks to wait twice as long as the queue is, for the queue to empty first, plus a random time, so that not all return at once. */
function overloaded({ behindMs }: Overload): AppError {
  const seconds = Math.ceil((2 * behindMs) / 1000 + 2 * Math.random());
  return new AppError(
    'overloaded',
    'More is asked of this service than it can answer right now. Try again soon.',
    {
      retryAfterSeconds: Math.min(RETRY_SECONDS_MAX, Math.max(1, seconds)),
    },
  );
}
