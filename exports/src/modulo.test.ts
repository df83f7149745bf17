import { expect, it } from 'vitest';
import { mod } from './modulo.ts';

it('wraps negative numbers to the other end', () => {
  expect([-13, -1, 0, 11, 12].map((value) => mod(value, 12))).toEqual([11, 11, 0, 11, 0]);
});
