import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  formatAge,
  formatBytes,
  formatClock,
  formatDay,
  formatDifference,
  formatMoment,
  formatMoney,
  formatMonth,
  formatNumber,
  formatPercent,
  formatQuantity,
  formatSongCount,
} from './format.ts';

it.each([
  [0, '0:00'],
  [59.4, '0:59'],
  [59.6, '1:00'],
  [605, '10:05'],
  [3_599.6, '1:00:00'],
  [7_565, '2:06:05'],
])('%d seconds are shown as %s', (seconds, text) => {
  expect(formatClock(seconds)).toBe(text);
});

it.each([
  [-14.25, 1, '−14.3'],
  [-0.04, 1, '0.0'],
  [0.06, 1, '0.1'],
  [120, 0, '120'],
])('%d with %i decimals is %s', (value, decimals, text) => {
  expect(formatNumber(value, decimals)).toBe(text);
});

it('a quantity has its unit; a missing value stays null', () => {
  expect(formatQuantity(-14.25, 'LUFS', 1)).toBe('−14.3 LUFS');
  expect([formatQuantity(null, 'LUFS', 1), formatQuantity(undefined, 'LUFS', 1)]).toEqual([null, null]);
});

it.each([
  [4.46, '+4.5 LU'],
  [-4.46, '−4.5 LU'],
  [-0.04, '±0.0 LU'],
  [0, '±0.0 LU'],
])('a difference of %d is %s', (value, text) => {
  expect(formatDifference(value, 'LU', 1)).toBe(text);
});

it('a song count is singular for one and grouped by thousands', () => {
  expect([0, 1, 1_201].map(formatSongCount)).toEqual([
    '0 songs',
    '1 song',
    `${(1_201).toLocaleString()} songs`,
  ]);
});

it('a fraction is shown as a whole percentage', () => {
  expect([0, 0.004, 0.995, 1].map(formatPercent)).toEqual(['0 %', '0 %', '100 %', '100 %']);
});

describe('the age of a timestamp', () => {
  // 15:09 wherever the tests run, so that day and minute are the same in every time zone.
  const then = new Date(2026, 2, 14, 15, 9).toISOString();
  const ageAfter = (minutes: number) => formatAge(then, Date.parse(then) + minutes * 60_000);

  it.each([
    [0.4, 'just now'],
    [0.6, '1 min ago'],
    [59, '59 min ago'],
    [60, '1 h ago'],
    [23 * 60 + 29, '23 h ago'],
    [24 * 60 - 1, '24 h ago'],
    [24 * 60, formatDay(then)],
  ])('after %d minutes is “%s”', (minutes, text) => {
    expect(ageAfter(minutes)).toBe(text);
  });

  it('dates name the day, moments the time as well', () => {
    expect(formatDay(then)).toMatch(/14.*2026|2026.*14/);
    expect(formatMoment(then)).toContain(formatDay(then));
    expect(formatMoment(then)).toMatch(/\d:09/);
  });
});

it.each(['America/Los_Angeles', 'Pacific/Auckland'])('a month is the same in %s', (zone) => {
  vi.stubEnv('TZ', zone);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(formatMonth('2026-11')).toMatch(/November.*2026|2026.*November/);
});

it.each([
  [0, '0 kB'],
  [1, '1 kB'],
  [1_001, '2 kB'],
  [999_999, '1000 kB'],
  [1_000_000, '1 MB'],
  [1_250_000, '1.3 MB'],
  [999_999_999, '1000 MB'],
  [1_000_000_000, '1 GB'],
  [2_345_000_000, '2.35 GB'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

it('money has the decimals of its currency, and none when it is whole', () => {
  const digitsOf = (text: string) => text.replace(/[^\d]/g, '');
  expect(digitsOf(formatMoney(1_900, 'EUR'))).toBe('19');
  expect(digitsOf(formatMoney(1_950, 'EUR'))).toBe('1950');
  // ISO 4217: the yen has no minor unit.
  expect(digitsOf(formatMoney(1_900, 'JPY'))).toBe('1900');
  // The Bahraini dinar is divided into a thousand fils.
  expect(digitsOf(formatMoney(1_900, 'BHD'))).toBe('1900');
  expect(digitsOf(formatMoney(19_000, 'BHD'))).toBe('19');
  expect(formatMoney(1_900, 'EUR')).toContain('€');
});
