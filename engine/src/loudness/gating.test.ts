import { describe, expect, it } from 'vitest';
import { integrateLoudness, lufsToEnergy, measureLoudnessRange } from './gating.ts';

const energiesAt = (...levelsLufs: number[]) => Float64Array.from(levelsLufs, lufsToEnergy);

describe('loudness range', () => {
  // A percentile of n sorted values is the one at index round((n - 1) * share) (EBU Tech 3342, annex).
  it.each([
    [
      'six values: indices 0.5 and 4.75 are the second and the last value',
      [-25, -24, -22, -21, -20.5, -20],
      4,
    ],
    ['twelve values: indices 1.1 and 10.45 are the second and the last but one', range(-31, -20), 9],
    ['one value', [-23], 0],
  ])('of %s', (_, levelsLufs, rangeLu) => {
    expect(measureLoudnessRange(energiesAt(...levelsLufs))).toBeCloseTo(rangeLu, 9);
  });

  it('ignores values more than 20 LU below the mean or below -70 LUFS', () => {
    // The mean is -24.0 LUFS, so the gate is at -44.0.
    const rangeWith = (levelLufs: number) =>
      measureLoudnessRange(energiesAt(...range(-29, -20), levelLufs, -90));
    expect(rangeWith(-44.5)).toBeCloseTo(8, 9);
    expect(rangeWith(-43.5)).toBeCloseTo(9, 9);
    expect(measureLoudnessRange(energiesAt(-71, -80))).toBeNull();
  });
});

describe('programme loudness', () => {
  it('ignores blocks more than 10 LU below the mean', () => {
    // The mean is -21.6 LUFS, so the gate is at -31.6.
    expect(integrateLoudness(energiesAt(-20, -20, -31.7))).toBeCloseTo(-20, 9);
    const meanEnergy = (2 * lufsToEnergy(-20) + lufsToEnergy(-31.5)) / 3;
    expect(lufsToEnergy(integrateLoudness(energiesAt(-20, -20, -31.5))!)).toBeCloseTo(meanEnergy, 12);
  });

  it('is unknown when no block is above -70 LUFS', () => {
    expect(integrateLoudness(energiesAt(-69.9))).toBeCloseTo(-69.9, 9);
    expect(integrateLoudness(energiesAt(-70.1))).toBeNull();
    expect(integrateLoudness(energiesAt())).toBeNull();
  });
});

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
