import { expect, it } from 'vitest';
import { waitSecondsOf } from './wait-for-end.ts';

// RFC 7240 allows several preferences in one header, separated by commas, with optional spaces.
it.each([
  ['wait=30', 30],
  ['wait=5', 5],
  ['respond-async, wait=10', 10],
  ['respond-async,Wait = "7"', 7],
  ['wait=31', 30],
  ['wait=999999', 30],
  ['wait=0', null],
  ['wait=-5', null],
  ['wait=soon', null],
  ['await=5', null],
  ['return=minimal', null],
  ['', null],
  [undefined, null],
])('%j waits for %s seconds', (prefer, seconds) => {
  expect(waitSecondsOf(prefer)).toBe(seconds);
});
