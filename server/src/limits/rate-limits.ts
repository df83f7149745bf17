import type { Dependencies } from '../context.ts';
import { AppError, type Limit } from '../errors.ts';

/**
 * Counts one use by `subject` and throws 429 when it exceeds the limit. The counters are rows shared by all processes. Call it before
 * any other work, so that every one of a hundred concurrent attempts is counted.
 */
export async function consumeLimit(
  ctx: Pick<Dependencies, 'db' | 'clock'>,
  limit: Limit,
  subject: string,
  message: string,
): Promise<void> {
  const now = ctx.clock();
  const { count } = await ctx.db.one<{ count: number }>(
    `insert into rate_limit_counters (bucket, window_start, count) values ($1, $2, 1)
     on conflict (bucket, window_start) do update set count = rate_limit_counters.count + 1
     returning count`,
    [`${limit.name}/${subject}`, startOfWindow(now, limit.windowSeconds)],
  );
  if (count > limit.count) throw rateLimited(limit, now, message);
}

export function startOfWindow(now: Date, windowSeconds: number): Date {
  const windowMs = windowSeconds * 1000;
  return new Date(Math.floor(now.getTime() / windowMs) * windowMs);
}

export function rateLimited(limit: Limit, now: Date, message: string): AppError {
  return new AppError('rate_limited', message, { limit, retryAfterSeconds: secondsLeft(limit, now) });
}

/** Whole seconds until the window of `now` ends, at least 1. */
export function secondsLeft({ windowSeconds }: Limit, now: Date): number {
  const endMs = startOfWindow(now, windowSeconds).getTime() + windowSeconds * 1000;
  return Math.ceil((endMs - now.getTime()) / 1000);
}

/** The rate limit headers of draft-ietf-httpapi-ratelimit-headers. */
export function rateLimitHeaders(
  limit: Limit,
  leftCount: number,
  resetSeconds: number,
): Record<string, string> {
  return {
    RateLimit: `"${limit.name}";r=${leftCount};t=${resetSeconds}`,
    'RateLimit-Policy': `"${limit.name}";q=${limit.count};w=${limit.windowSeconds}`,
  };
}
