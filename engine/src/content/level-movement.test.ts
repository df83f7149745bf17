import { describe, expect, it } from 'vitest';
import { createKernels } from '../signal/kernels.ts';
import { findPeriodicityReference } from './content-twins.ts';
import { createLevelMovement } from './level-movement.ts';

const RATE_HZ = 50;
const { measureModulation, measurePeriodicity } = createLevelMovement(createKernels(), RATE_HZ);
/** Three seconds of a level. */
const levelsOf = (levelAt: (seconds: number) => number) =>
  Float64Array.from({ length: 3 * RATE_HZ }, (_, frame) => levelAt(frame / RATE_HZ));
const waveOf = (frequencyHz: number) =>
  levelsOf((seconds) => 7 + Math.cos(2 * Math.PI * frequencyHz * seconds));

describe('movement at the pace of syllables', () => {
  it.each([
    [2 + 2 / 3, 0],
    [3, 1],
    [5, 1],
    [8, 1],
    [8 + 1 / 3, 0],
  ])('of a level that moves %d times a second is %i of it', (frequencyHz, share) => {
    // Whole cycles within the window, so that no power leaks.
    expect(measureModulation(waveOf(frequencyHz))).toBeCloseTo(share, 9);
  });

  it('is a share of all movement', () => {
    // Of two waves the squares of the heights are 1 and 4.
    const both = levelsOf(
      (seconds) => Math.cos(2 * Math.PI * 4 * seconds) + 2 * Math.cos(2 * Math.PI * seconds),
    );
    expect(measureModulation(both)).toBeCloseTo(1 / 5, 9);
    expect(measureModulation(levelsOf(() => 7))).toBe(0);
  });
});

describe('what repeats at the distance of beats', () => {
  it.each([2, 4])('is all of a level that comes back %i times a second', (frequencyHz) => {
    expect(measurePeriodicity(waveOf(frequencyHz))).toBeCloseTo(1, 9);
  });

  it('is looked for from 0.24 to 1.2 seconds', () => {
    // A swing of three seconds is likest itself at the shortest distance that is tried.
    const slow = waveOf(1 / 3);
    const at = (lagFrames: number) => findPeriodicityReference(slow, lagFrames, lagFrames);
    expect(measurePeriodicity(slow)).toBeCloseTo(at(12), 9);
    // A stroke every 1.2 seconds comes back at the longest one; every 1.22 seconds it comes too late.
    const every = (periodFrames: number) =>
      measurePeriodicity(levelsOf((seconds) => (Math.round(seconds * RATE_HZ) % periodFrames === 0 ? 1 : 0)));
    expect(every(60)).toBeGreaterThan(0.9);
    expect(every(61)).toBeLessThan(0.1);
  });

  it('is nothing in a level that stays', () => {
    expect(measurePeriodicity(levelsOf(() => 7))).toBe(0);
  });
});
