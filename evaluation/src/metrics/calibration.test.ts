import { describe, expect, it } from 'vitest';
import { expectedCalibrationError, reliabilityCurve } from './calibration.ts';

describe('calibration', () => {
  const claimed = (confidence: number, right: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({ confidence, right: index < right }));

  it('measures the gap between confidence and accuracy, weighted by the answers', () => {
    expect(expectedCalibrationError(claimed(0.8, 8, 10))).toBeCloseTo(0, 12);
    expect(expectedCalibrationError(claimed(0.95, 5, 10))).toBeCloseTo(0.45, 12);
    // A gap of 0.25 over 10 answers and one of 0.05 over 30.
    expect(expectedCalibrationError([...claimed(0.25, 5, 10), ...claimed(0.95, 27, 30)])).toBeCloseTo(
      0.1,
      12,
    );
  });

  it('merges a bin of fewer than five answers into the next higher one', () => {
    const answers = [...claimed(0.05, 0, 3), ...claimed(0.15, 2, 3)];
    const [bin, ...others] = reliabilityCurve(answers);
    expect(others).toEqual([]);
    expect(bin!.count).toBe(6);
    expect(bin!.meanConfidence).toBeCloseTo(0.1, 12);
    expect(bin!.accuracy).toBeCloseTo(1 / 3, 12);
    expect(expectedCalibrationError(answers)).toBeCloseTo(1 / 3 - 0.1, 12);
  });

  it('merges four answers, but not five, into the bin above and not into the one below', () => {
    const countsWith = (small: number) =>
      reliabilityCurve([...claimed(0.25, 0, 6), ...claimed(0.05, 0, 6), ...claimed(0.15, 0, small)]).map(
        ({ count }) => count,
      );
    expect(countsWith(4)).toEqual([6, 10]);
    expect(countsWith(5)).toEqual([6, 5, 6]);
  });

  it('merges a last bin of four answers, but not of five, into the one below', () => {
    const countsWith = (small: number) =>
      reliabilityCurve([...claimed(0.5, 3, 6), ...claimed(0.95, 1, small)]).map(({ count }) => count);
    expect(countsWith(4)).toEqual([10]);
    expect(countsWith(5)).toEqual([6, 5]);
  });

  it('has ten bins, each with its upper edge', () => {
    const answers = [0.1, 0.11, 0.2, 0.21].flatMap((confidence) => claimed(confidence, 0, 5));
    expect(reliabilityCurve(answers).map(({ count }) => count)).toEqual([5, 10, 5]);
  });

  it('has no error where there are no answers', () => {
    expect(reliabilityCurve([])).toEqual([]);
    expect(expectedCalibrationError([])).toBeNull();
  });
});
