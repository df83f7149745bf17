import { expect, it } from 'vitest';
import { jobRetryDelayMs } from './retry-delay.ts';

it('grows fourfold to five minutes', () => {
  const middle = [1, 2, 3, 4, 5, 50].map((attempt) => jobRetryDelayMs(attempt, () => 0.5));
  expect(middle).toEqual([2_000, 8_000, 32_000, 128_000, 300_000, 300_000]);
});

it('varies by a quarter either way', () => {
  expect([jobRetryDelayMs(1, () => 0), jobRetryDelayMs(1, () => 1)]).toEqual([1_500, 2_500]);
});
