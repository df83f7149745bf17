/** Takes the next turn, and returns how long to wait for it. Throws when it is too far away. */
export type TakeTurn = (nowMs?: number) => number;

/** Turns at least `intervalMs` apart, in the order of the calls. */
export function createTurns(limits: { intervalMs: number; waitMsMax: number }): TakeTurn {
  let nextMs = Number.NEGATIVE_INFINITY;
  return (nowMs = performance.now()) => {
    const turnMs = Math.max(nextMs, nowMs);
    const waitMs = turnMs - nowMs;
    if (waitMs > limits.waitMsMax) throw new Error('Too many requests are waiting for their turn');
    nextMs = turnMs + limits.intervalMs;
    return waitMs;
  };
}
