import type { Dependencies } from '../context.ts';
import { AppError, type Limit } from '../errors.ts';

/**
 * Counts one use by `subject` and throws 429 when it is one too many. The counters are rows shared by all processes. Call it before
 * any other work, so that of a hundred concurrent attempts every one is counted.
 */
export async function consumeLimit(
  ctx: Pick<Dependencies, 'db' | 'clock'>,
  limit: Limit,
  subject: string,
  message: string,
): Promise<void> {
  const windowStart = startOfWindow(ctx.clock(), limit.windowSeconds);
  const { count } = await ctx.db.one<{ count: number }>(
    `insert into rate_limit_counters (bucket, window_start, count) values ($1, $2, 1)
     on conflict (bucket, window_start) do update set count = rate_limit_counters.count + 1
     returning count`,
    [`${limit.name}/${subject}`, windowStart],
  );
  if (count > limit.count) throw tooMany(limit, windowStart, ctx.clock(), message);
}

export function startOfWindow(now: Date, windowSeconds: number): Date {
  const windowMs = windowSeconds * 1000;
  return new Date(Math.floor(now.getTime() / windowMs) * windowMs);
}

export function tooMany(limit: Limit, windowStart: Date, now: Date, message: string): AppError {
  return new AppError('rate_limited', message, {
    limit,
    retryAfterSeconds: secondsLeft(limit, windowStart, now),
  });
}

export function secondsLeft(limit: Limit, windowStart: Date, now: Date): number {
  const endMs = windowStart.getTime() + limit.windowSeconds * 1000;
  return Math.max(1, Math.ceil((endMs - now.getTime()) / 1000));
}

/** The rate limit headers of draft-ietf-httpapi-ratelimit-headers. */
export function leftHeaders(limit: Limit, left: number, resetSeconds: number): Record<string, string> {
  return {
    RateLimit: `"${limit.name}";r=${left};t=${resetSeconds}`,
    'RateLimit-Policy': `"${limit.name}";q=${limit.count};w=${limit.windowSeconds}`,
  };
}
