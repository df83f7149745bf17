import { describe, expect, expectTypeOf, it } from 'vitest';
import { snakeCaseKeys } from './snake-case.ts';

describe('snake case', () => {
  it('spells every level and leaves data alone', () => {
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
});
