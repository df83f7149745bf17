import { expect, it } from 'vitest';
import { createRequestMeter } from './request-meter.ts';

it('says how many requests are left of a minute, and refuses the first one too many', () => {
  const meter = createRequestMeter(2);
  const now = new Date('2026-03-01T12:00:50Z');
  expect(meter('ws_a', now)).toEqual({
    RateLimit: '"requests";r=1;t=10',
    'RateLimit-Policy': '"requests";q=2;w=60',
  });
  expect(meter('ws_a', now).RateLimit).toBe('"requests";r=0;t=10');
  expect(() => meter('ws_a', now)).toThrow(
    expect.objectContaining({ code: 'rate_limited', retryAfterSeconds: 10 }),
  );
  expect(meter('ws_b', now).RateLimit).toBe('"requests";r=1;t=10');
  expect(meter('ws_a', new Date('2026-03-01T12:01:00Z')).RateLimit).toBe('"requests";r=1;t=60');
});
