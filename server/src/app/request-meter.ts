import type { Limit } from '../errors.ts';
import { leftHeaders, secondsLeft, startOfWindow, tooMany } from '../http/limits.ts';
import { createWindowCounter } from '../http/window-counter.ts';

/**
 * The general rate limit: it keeps one caller from taking the whole process. It counts in this process alone and so costs no query;
 * limits that must be exact over all processes (registration, codes, the demo) use consumeLimit instead.
 */
export function createRequestMeter(requestsPerMinute: number): {
  /** Returns the headers that say how much is left; throws 429 when nothing is. */
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
