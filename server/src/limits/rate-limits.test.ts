import { expect, it, vi } from 'vitest';
import type { Database } from '../platform/postgres.ts';
import { consumeLimit, rateLimitHeaders, secondsLeft, startOfWindow } from './rate-limits.ts';

const limit = { name: 'codes', count: 5, windowSeconds: 900 };
const at = (time: string) => new Date(`2026-03-01T${time}Z`);

it('divides time into windows that begin at multiples of their length', () => {
  expect(startOfWindow(at('12:14:59.999'), 900)).toEqual(at('12:00:00.000'));
  expect(startOfWindow(at('12:15:00.000'), 900)).toEqual(at('12:15:00.000'));
});

it('rounds the seconds left up, so that a client that waits them is in the next window', () => {
  expect(secondsLeft(limit, at('12:00:00.000'))).toBe(900);
  expect(secondsLeft(limit, at('12:14:58.001'))).toBe(2);
  expect(secondsLeft(limit, at('12:14:59.999'))).toBe(1);
});

it('writes the headers of the draft', () => {
  expect(rateLimitHeaders(limit, 3, 42)).toEqual({
    RateLimit: '"codes";r=3;t=42',
    'RateLimit-Policy': '"codes";q=5;w=900',
  });
});

it.each([
  [5, null],
  [6, { code: 'rate_limited', message: 'Too many codes.', limit, retryAfterSeconds: 60 }],
])('use %d of five in a window', async (count, refusal) => {
  const one = vi.fn(async () => ({ count }));
  const ctx = { db: { one } as unknown as Database, clock: () => at('12:14:00.000') };
  const used = consumeLimit(ctx, limit, 'client', 'Too many codes.');
  if (refusal === null) await used;
  else await expect(used).rejects.toMatchObject(refusal);
  expect(one).toHaveBeenCalledWith(expect.any(String), ['codes/client', at('12:00:00.000')]);
});
