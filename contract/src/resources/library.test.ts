import { afterEach, expect, test } from 'vitest';
import { SongFilter } from './library.ts';

const { TZ } = process.env;
afterEach(() => {
  // Assigning undefined would set the text "undefined" as the time zone.
  if (TZ === undefined) delete process.env.TZ;
  else process.env.TZ = TZ;
});

test.each([
  ['2026-01-31', '2026-01-31T00:00:00.000Z'],
  ['2026-01-31T09:30', '2026-01-31T09:30:00.000Z'],
  ['2026-01-31 09:30:05.25', '2026-01-31T09:30:05.250Z'],
  ['2026-01-31t09:30z', '2026-01-31T09:30:00.000Z'],
  ['2026-01-31T09:30-05:00', '2026-01-31T14:30:00.000Z'],
  ['2026-01-31 09:30+0530', '2026-01-31T04:00:00.000Z'],
])('reads %s the same in any time zone of the process', (text, moment) => {
  process.env.TZ = 'America/New_York';
  // In effect: five hours behind UTC in winter.
  expect(new Date(moment).getTimezoneOffset()).toBe(300);
  expect(SongFilter.parse({ created_after: text }).created_after).toEqual(new Date(moment));
});

test.each(['yesterday', '0', '2026-02-30', '2026-01-31T25:00', '2026-1-31', ''])(
  'refuses %j as a date and time',
  (text) => {
    expect(SongFilter.safeParse({ created_before: text }).success).toBe(false);
  },
);
