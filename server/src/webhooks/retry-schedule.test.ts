import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../platform/time-units.ts';
import { deliveryRetryDelayMs, parseRetryAfterMs } from './retry-schedule.ts';

const SECOND_MS = 1000;

describe('deliveryRetryDelayMs', () => {
  it('follows the promised schedule, then gives up after ten attempts', () => {
    const delays = Array.from({ length: 11 }, (_, index) =>
      deliveryRetryDelayMs({ attempt: index + 1, retryAfterMs: null, random: 0.5 }),
    );
    expect(delays.slice(0, 9)).toEqual(
      [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].map((seconds) => seconds * SECOND_MS),
    );
    expect(delays.slice(9)).toEqual([null, null]);
  });

  it('jitters by a fifth either way', () => {
    expect(deliveryRetryDelayMs({ attempt: 1, retryAfterMs: null, random: 0 })).toBe(4 * SECOND_MS);
    expect(deliveryRetryDelayMs({ attempt: 1, retryAfterMs: null, random: 1 })).toBe(6 * SECOND_MS);
  });

  it('lets Retry-After lengthen the delay up to a day, and never shorten it', () => {
    expect(deliveryRetryDelayMs({ attempt: 1, retryAfterMs: 60 * SECOND_MS, random: 0.5 })).toBe(
      60 * SECOND_MS,
    );
    expect(deliveryRetryDelayMs({ attempt: 1, retryAfterMs: 900 * HOUR_MS, random: 0.5 })).toBe(24 * HOUR_MS);
    expect(deliveryRetryDelayMs({ attempt: 3, retryAfterMs: 1, random: 0.5 })).toBe(1800 * SECOND_MS);
  });
});

describe('parseRetryAfterMs', () => {
  const now = new Date('2026-03-01T12:00:00Z');

  it.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['soon', null],
    ['-5', null],
    ['99999999999999', null],
    ['', null],
    [undefined, null],
  ])('reads %j as %j', (header, expected) => {
    expect(parseRetryAfterMs(header, now)).toBe(expected);
  });
});
