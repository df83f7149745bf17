import { expect, it } from 'vitest';
import { decodeHalf } from './half-twin.ts';

it.each([
  [0x0000, 0],
  [0x0001, 2 ** -24],
  [0x03ff, 1023 * 2 ** -24],
  [0x0400, 2 ** -14],
  [0x7bff, 65504],
  [0xc000, -2],
  [0xfc00, Number.NEGATIVE_INFINITY],
  [0x7e00, Number.NaN],
])('decodes the binary16 %i as %d', (bits, value) => {
  expect(decodeHalf(bits)).toBe(value);
});
