import { describe, expect, expectTypeOf, it } from 'vitest';
import { snakeCaseKeys } from './snake-case.ts';

describe('snake case', () => {
  it('converts keys at every level and leaves data alone', () => {
    const wire = snakeCaseKeys({
      bpmConfidence: 0.5,
      mfccMean: [1, 2],
      regions: [{ startSeconds: 0, kind: 'music' }],
      unavailable: { 'tonal.key': 'no_pitched_content' },
      none: null,
    });
    expect(wire).toEqual({
      bpm_confidence: 0.5,
      mfcc_mean: [1, 2],
      regions: [{ start_seconds: 0, kind: 'music' }],
      unavailable: { 'tonal.key': 'no_pitched_content' },
      none: null,
    });
    expectTypeOf(wire.regions[0]!.start_seconds).toEqualTypeOf<number>();
  });

  it('converts lists in lists, and lists that begin with null', () => {
    expect(snakeCaseKeys([[{ startSeconds: 0 }], [{ startSeconds: 1 }]])).toEqual([
      [{ start_seconds: 0 }],
      [{ start_seconds: 1 }],
    ]);
    expect(snakeCaseKeys([null, { startSeconds: 0 }])).toEqual([null, { start_seconds: 0 }]);
    expect(snakeCaseKeys({ mfccCovariance: [[1, 2], []] })).toEqual({ mfcc_covariance: [[1, 2], []] });
  });

  it('does not copy lists of numbers or of strings', () => {
    const pixels = [-128, 127];
    const moods = ['calm'];
    const wire = snakeCaseKeys({ pixels, moods });
    expect(wire.pixels).toBe(pixels);
    expect(wire.moods).toBe(moods);
  });
});
