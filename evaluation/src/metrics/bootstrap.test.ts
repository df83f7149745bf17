import { describe, expect, it } from 'vitest';
import { bootstrapMean } from './bootstrap.ts';

describe('bootstrapMean', () => {
  it('has zero width for equal values, and that of a normal interval for a hundred coin tosses', () => {
    expect(bootstrapMean([0.5, 0.5, 0.5])).toEqual({ mean: 0.5, low: 0.5, high: 0.5 });
    const coins = Array.from({ length: 100 }, (_, index) => index % 2);
    const { mean, low, high } = bootstrapMean(coins)!;
    // 1.96 standard errors of 0.05 to either side, to the precision of a thousand draws.
    expect(Math.abs(mean - low - 0.098)).toBeLessThan(0.015);
    expect(Math.abs(high - mean - 0.098)).toBeLessThan(0.015);
  });

  it('gives the same interval every time, and null without values', () => {
    expect(bootstrapMean([0, 1, 1])).toEqual(bootstrapMean([0, 1, 1]));
    expect(bootstrapMean([])).toBeNull();
  });
});
