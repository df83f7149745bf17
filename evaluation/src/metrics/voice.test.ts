import { describe, expect, it } from 'vitest';
import { areaUnderCurve, toTenths } from './voice.ts';

describe('voice', () => {
  it('is in each tenth whose middle lies in a span', () => {
    const spans = [
      [0.04, 0.16],
      [0.25, 0.35],
    ] as const;
    expect(toTenths(spans, 5)).toEqual([true, true, true, false, false]);
    // From the middle of the first to the middle of the third, which is outside.
    expect(toTenths([[0.05, 0.25]], 4)).toEqual([true, true, false, false]);
  });

  it('is scored by the share of pairs in the right order, with ties counting half', () => {
    const truth = [true, true, false, false];
    expect(areaUnderCurve([0.9, 0.8, 0.2, 0.1], truth)).toBe(1);
    // Of four pairs two are right, one is a tie, one is wrong.
    expect(areaUnderCurve([0.9, 0.3, 0.3, 0.5], truth)).toBe(2.5 / 4);
    expect(areaUnderCurve([0.4, 0.4, 0.4, 0.4], truth)).toBe(0.5);
    expect(areaUnderCurve([0.4, 0.4], [true, true])).toBeNull();
  });
});
