import { describe, expect, it } from 'vitest';
import { periodOf } from './period.ts';

describe('periodOf', () => {
  it.each([
    ['2026-01-01T00:00:00.000Z', '2026-01', '2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'],
    ['2026-12-31T23:59:59.999Z', '2026-12', '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
    ['2028-02-29T12:00:00.000Z', '2028-02', '2028-02-01T00:00:00.000Z', '2028-03-01T00:00:00.000Z'],
    // Already March in Auckland, still February in UTC.
    ['2026-03-01T12:30:00.000+13:00', '2026-02', '2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
  ])('puts %s into %s', (now, name, start, end) => {
    const period = periodOf(new Date(now));
    expect([period.name, period.start.toISOString(), period.end.toISOString()]).toEqual([name, start, end]);
  });
});
