import { describe, expect, it } from 'vitest';
import { medianOf } from './median.ts';

describe('the median', () => {
  it.each([
    [[3, 1, 2], 2],
    [[10, 9, 100], 10],
    [[4, 1, 3, 2], 2.5],
    [[7], 7],
  ])('of %j is %d', (values, expected) => {
    expect(medianOf(values)).toBe(expected);
  });
});
