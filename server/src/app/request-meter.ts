import type { Limit } from '../errors.ts';
import { leftHeaders, secondsLeft, startOfWindow, tooMany } from '../http/limits.ts';
import { createWindowCounter } from '../http/window-counter.ts';

/**
 * The general limit on requests, counted in this process: it keeps one caller from taking all of it, and costs no query.
 * What needs an exact count over all processes (registration, codes, the demo) uses consumeLimit instead.
 */
export function createRequestMeter(requestsPerMinute: number): {
  /** Answers with the headers that say how much is left; throws 429 when nothing is. */
  count(subject: string, now: Date): Record<string, string>;
} {
  const limit: Limit = { name: 'requests', count: requestsPerMinute, windowSeconds: 60 };
  const counter = createWindowCounter(limit);
  return {
    count(subject, now) {
      const used = counter.add(subject, now);
      const windowStart = startOfWindow(now, limit.windowSeconds);
      if (used > limit.count) {
        throw tooMany(limit, windowStart, now, 'Too many requests. Wait as long as Retry-After says.');
      }
      return leftHeaders(limit, limit.count - used, secondsLeft(limit, windowStart, now));
    },
  };
}
