import { expect, test } from 'vitest';
import { formatClock } from './clock.ts';

test.each([
  [0, '0:00'],
  [59.4, '0:59'],
  [59.5, '1:00'],
  [185, '3:05'],
  [3_599.6, '1:00:00'],
  [4_500, '1:15:00'],
])('%s s are %s', (seconds, text) => {
  expect(formatClock(seconds)).toBe(text);
});
