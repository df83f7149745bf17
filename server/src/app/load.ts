import { AppError } from '../errors.ts';
import type { PoolUse } from '../platform/metrics.ts';

/**
 * Whether this process is behind, measured in two places where work queues up unseen:
 *
 * - the event loop: how long a request that comes in at any moment waits for its turn, mean over the last two seconds. A timer
 *   of 20 ms tells how late each turn was; a turn that is late by d makes those who come in during it wait d/2, and d is
 *   also how many do, so the mean is Σd²/2 over the window. One long turn among short ones is no overload; many are.
 * - the database pool: for how long the caller who waits longest has been waiting for a connection, or since when nobody
 *   who waited has got one.
 *
 * A request that comes in then is refused at once instead of joining a queue that it would leave too late anyway.
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
  /** Once in a while, with how many were refused since the last time. */
  onShedding: (overload: Overload & { refused: number }) => void;
};

/** All four are chosen: to notice an overload within a second or two, to cost nothing, and to tell of it without adding to it. */
const TICK_MS = 20;
const WINDOW_MS = 2_000;
const RETRY_SECONDS_MAX = 30;
const TOLD_EVERY_MS = 10_000;

export function measureLoad(options: LoadOptions): Load {
  /** Turns that were late, the oldest first. */
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
  let toldMs: number | null = null;
  const tell = (overload: Overload) => {
    refused += 1;
    if (toldMs !== null && performance.now() - toldMs < TOLD_EVERY_MS) return;
    toldMs = performance.now();
    options.onShedding({ ...overload, refused });
    refused = 0;
  };

  return {
    behind,
    assertRoom() {
      const overload = behind();
      if (overload === null) return;
      options.onShed(overload.reason);
      tell(overload);
      throw overloaded(overload);
    },
    stop() {
      clearInterval(timer);
    },
  };
}

/** The queue that is there has to go first: twice its age, and not all at the same moment. */
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
