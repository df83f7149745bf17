import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from './time-units.ts';

it('measures hours and days in the milliseconds of Date', () => {
  expect(Date.UTC(2026, 0, 1, 1) - Date.UTC(2026, 0, 1)).toBe(HOUR_MS);
  expect(Date.UTC(2026, 0, 2) - Date.UTC(2026, 0, 1)).toBe(DAY_MS);
});
