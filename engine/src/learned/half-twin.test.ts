import { expect, it } from 'vitest';
import { decodeHalf } from './half-twin.ts';

it.each([
  [0x0000, 0],
  [0x0001, 2 ** -24],
  [0x03ff, 1023 * 2 ** -24],
  [0x0400, 2 ** -14],
  [0x7bff, 65504],
  [0xfc00, Number.NEGATIVE_INFINITY],
])('decodes the half %i', (bits, value) => {
  expect(decodeHalf(bits)).toBe(value);
});
