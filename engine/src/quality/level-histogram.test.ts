import { expect, it } from 'vitest';
import { createLevelHistogram, LEVELS_DB } from './level-histogram.ts';

function countLevels(...levelsDb: number[]) {
  const histogram = createLevelHistogram();
  for (const levelDb of levelsDb) histogram.add(levelDb);
  return histogram.read();
}

it('gives the level at a share of the ranks, from 0 for the lowest value to 1 for the highest', () => {
  const levels = countLevels(-60, -50, -40, -30, -20);
  expect([0, 0.24, 0.25, 0.5, 1].map(levels.percentileDb)).toEqual([-60, -60, -50, -40, -20]);
  expect(countLevels(-12.4, -12.6).percentileDb(1)).toBe(-12);
});

it('counts the values at or below a level', () => {
  const levels = countLevels(-60, -50, -50, -40);
  expect([-61, -60, -51, -50, 20].map(levels.countUpTo)).toEqual([0, 1, 1, 3, 4]);
  expect([levels.count, levels.countUpTo(-200)]).toEqual([4, 0]);
});

it('counts values beyond its range, silence included, in its first or last bin', () => {
  expect(countLevels(Number.NEGATIVE_INFINITY).percentileDb(0)).toBe(LEVELS_DB.floor);
  expect(countLevels(99).percentileDb(0)).toBe(LEVELS_DB.top);
});

it('has no level without values', () => {
  expect([countLevels().percentileDb(0.5), countLevels().count]).toEqual([null, 0]);
});
