import { expect, it } from 'vitest';
import { formatFigure } from './figure.ts';

it.each([
  [-14.24, 1, '−14.2'],
  [-0.04, 1, '0.0'],
  [-0.06, 1, '−0.1'],
  [3, 0, '3'],
])('%d with %d decimals is %s', (value, decimals, text) => {
  expect(formatFigure(value, decimals)).toBe(text);
});
