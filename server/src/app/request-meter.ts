import type { Limit } from '../errors.ts';
import { rateLimited, rateLimitHeaders, secondsLeft } from '../limits/rate-limits.ts';
import { createWindowCounter } from '../limits/window-counter.ts';

/** The headers that say how many requests the subject has left; throws 429 when none are. */
export type RequestMeter = (subject: string, now: Date) => Record<string, string>;

/**
 * The general rate limit, which keeps one client from monopolising the process. It counts in this process alone and so costs no query;
 * limits that must hold over all processes (registration, sign-in codes, the demo) use consumeLimit.
 */
export function createRequestMeter(requestsPerMinute: number): RequestMeter {
  const limit: Limit = { name: 'requests', count: requestsPerMinute, windowSeconds: 60 };
  const counter = createWindowCounter(limit);
  return (subject, now) => {
    const usedCount = counter.add(subject, now);
    if (usedCount > limit.count) {
      throw rateLimited(limit, now, 'Too many requests. Wait as long as Retry-After says.');
    }
    return rateLimitHeaders(limit, limit.count - usedCount, secondsLeft(limit, now));
  };
}
