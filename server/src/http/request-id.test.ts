import { expect, it } from 'vitest';
import { requestIdOf } from './request-id.ts';

const idFor = (given: string | string[] | undefined) => requestIdOf({ headers: { 'x-request-id': given } });

it.each(['a'.repeat(8), 'a'.repeat(128), 'Trace_2026.01:4-2'])('keeps %s', (given) => {
  expect(idFor(given)).toBe(given);
});

it.each([
  undefined,
  '',
  'a'.repeat(7),
  'a'.repeat(129),
  'with space in it',
  'line\nbreak',
  'quoted"id',
  ['a'.repeat(8)],
])('replaces %j with a new id', (given) => {
  expect(idFor(given)).toMatch(/^req_[0-9A-Za-z]{20}$/);
  expect(idFor(given)).not.toBe(idFor(given));
});
