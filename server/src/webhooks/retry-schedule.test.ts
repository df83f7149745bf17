import { describe, expect, it } from 'vitest';
import { ATTEMPTS_MAX, parseRetryAfterMs, retryDelayMs } from './retry-schedule.ts';

const SECONDS = 1000;
const HOURS = 3600 * SECONDS;

describe('retryDelayMs', () => {
  it('follows the promised schedule, then gives up after ten attempts', () => {
    const delays = Array.from({ length: 11 }, (_, index) =>
      retryDelayMs({ attempt: index + 1, retryAfterMs: null, random: 0.5 }),
    );
    expect(delays.slice(0, 9)).toEqual(
      [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].map((seconds) => seconds * SECONDS),
    );
    expect(delays[ATTEMPTS_MAX - 1]).toBeNull();
    expect(delays[10]).toBeNull();
  });

  it('jitters by a fifth either way', () => {
    expect(retryDelayMs({ attempt: 1, retryAfterMs: null, random: 0 })).toBe(4 * SECONDS);
    expect(retryDelayMs({ attempt: 1, retryAfterMs: null, random: 1 })).toBe(6 * SECONDS);
  });

  it('lets Retry-After lengthen the wait up to a day, and never shorten it', () => {
    expect(retryDelayMs({ attempt: 1, retryAfterMs: 60 * SECONDS, random: 0.5 })).toBe(60 * SECONDS);
    expect(retryDelayMs({ attempt: 1, retryAfterMs: 900 * HOURS, random: 0.5 })).toBe(24 * HOURS);
    expect(retryDelayMs({ attempt: 3, retryAfterMs: 1, random: 0.5 })).toBe(1800 * SECONDS);
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
    [null, null],
  ])('reads %j as %j', (header, expected) => {
    expect(parseRetryAfterMs(header, now)).toBe(expected);
  });
});
