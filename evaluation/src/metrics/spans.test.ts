import { describe, expect, it } from 'vitest';
import { fillTo, withoutOverlaps } from './spans.ts';

describe('spans', () => {
  const span = (start: number, end: number, label: string) => ({ start, end, label });

  it('are sorted and cut where they overlap, without remainders of rounding', () => {
    const given = [span(2, 4, 'b'), span(0, 3, 'a'), span(3.9, 4.00005, 'c')];
    expect(withoutOverlaps(given)).toEqual([span(0, 3, 'a'), span(3, 4, 'b')]);
    const short = [span(0, 1, 'a'), span(1, 1.001, 'b')];
    expect(withoutOverlaps(short)).toEqual(short);
  });

  it('are cut to a range, and gaps before, between and after them are filled', () => {
    const given = [span(-1, 1, 'a'), span(2, 3, 'b'), span(9, 10, 'c')];
    expect(fillTo(given, 0, 5, 'N')).toEqual([
      span(0, 1, 'a'),
      span(1, 2, 'N'),
      span(2, 3, 'b'),
      span(3, 5, 'N'),
    ]);
    // 0.1 + 0.2 is 6e-17 more than 0.3: no gap.
    const touching = [span(0, 0.3, 'a'), span(0.1 + 0.2, 1, 'b')];
    expect(fillTo(touching, 0, 1, 'N')).toEqual(touching);
    expect(fillTo([span(0.001, 1, 'a')], 0, 1, 'N')).toEqual([span(0, 0.001, 'N'), span(0.001, 1, 'a')]);
  });
});
