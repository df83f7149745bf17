import { describe, expect, it } from 'vitest';
import { createKernels } from '../signal/kernels.ts';
import { findPeriodicityTwin } from './content-twins.ts';
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
  ])('has, for a level that swings %d times a second, a share of %i', (frequencyHz, share) => {
    // Whole cycles within the window, so that no power leaks.
    expect(measureModulation(waveOf(frequencyHz))).toBeCloseTo(share, 9);
  });

  it('is measured as a share of all movement, and is 0 for a constant level', () => {
    // Two waves whose amplitudes squared are 1 and 4.
    const both = levelsOf(
      (seconds) => Math.cos(2 * Math.PI * 4 * seconds) + 2 * Math.cos(2 * Math.PI * seconds),
    );
    expect(measureModulation(both)).toBeCloseTo(1 / 5, 9);
    expect(measureModulation(levelsOf(() => 7))).toBe(0);
  });
});

describe('repetition at the distances of beats', () => {
  it.each([2, 4])('is 1 for a level that repeats %i times a second', (frequencyHz) => {
    expect(measurePeriodicity(waveOf(frequencyHz))).toBeCloseTo(1, 9);
  });

  it('is measured at distances of 0.24 to 1.2 seconds', () => {
    // A swing of three seconds resembles itself most at the shortest distance, 12 frames.
    const slow = waveOf(1 / 3);
    const at = (lagFrames: number) => findPeriodicityTwin(slow, lagFrames, lagFrames);
    expect(measurePeriodicity(slow)).toBeCloseTo(at(12), 9);
    // A stroke every 1.2 seconds repeats at the longest distance, 60 frames; every 1.22 seconds it comes too late.
    const every = (periodFrames: number) =>
      measurePeriodicity(levelsOf((seconds) => (Math.round(seconds * RATE_HZ) % periodFrames === 0 ? 1 : 0)));
    // Two of the three strokes among the 150 frames, whose mean is 0.02, have another 60 frames before them.
    const [products, squares] = [2 - 4 * 0.02 + 90 * 0.02 ** 2, 3 - 150 * 0.02 ** 2];
    expect(every(60)).toBeCloseTo((products / 90) * (150 / squares), 9);
    expect(every(61)).toBe(0);
  });

  it('is 0 for a constant level', () => {
    expect(measurePeriodicity(levelsOf(() => 7))).toBe(0);
  });
});
