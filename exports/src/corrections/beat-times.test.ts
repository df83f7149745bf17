import { describe, expect, it } from 'vitest';
import { changeLevel, findBeatNear, findLevel, layEvenly } from './beat-times.ts';

describe('findLevel', () => {
  it.each([
    [120, 120, 1, 1],
    [120, 240, 2, 1],
    [120, 60, 1, 2],
    [120, 360, 3, 1],
    [120, 40, 1, 3],
    [80, 120, 3, 2],
    [120, 80, 2, 3],
    [90, 120, 4, 3],
    [120, 90, 3, 4],
  ])('from %d to %d BPM has %d beats for every %d', (heardBpm, trueBpm, trueBeats, heardBeats) => {
    expect(findLevel(heardBpm, trueBpm)).toEqual({ trueBeats, heardBeats });
  });

  it('allows for half a BPM of rounding, times the level above 1', () => {
    expect(findLevel(120.4, 120)).toEqual({ trueBeats: 1, heardBeats: 1 });
    expect(findLevel(120.6, 120)).toBeNull();
    expect(findLevel(60.45, 120)).toEqual({ trueBeats: 2, heardBeats: 1 });
    expect(findLevel(60.55, 120)).toBeNull();
    expect(findLevel(120.9, 60)).toEqual({ trueBeats: 1, heardBeats: 2 });
  });
});

describe('changeLevel', () => {
  const timesSeconds = [1, 2, 3, 4];
  it('divides each beat, the last one by the length of the one before it, up to the end of the song', () => {
    expect(changeLevel(timesSeconds, { trueBeats: 2, heardBeats: 1 }, 0, 10)).toEqual([
      1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5,
    ]);
    expect(changeLevel(timesSeconds, { trueBeats: 2, heardBeats: 1 }, 0, 4.5)).toHaveLength(7);
  });

  it('keeps the anchor when it thins the beats', () => {
    expect(changeLevel(timesSeconds, { trueBeats: 1, heardBeats: 2 }, 1, 10)).toEqual([2, 4]);
    expect(changeLevel(timesSeconds, { trueBeats: 3, heardBeats: 2 }, 1, 10)).toContain(2);
  });
});

it('layEvenly goes through the anchor, from the first beat in the song to its end', () => {
  expect(layEvenly(60, 2.25, 4.25)).toEqual([0.25, 1.25, 2.25, 3.25]);
  expect(layEvenly(120, 0, 1)).toEqual([0, 0.5]);
  // The anchors are a whole number of beats from 0, but for the rounding of floats to either side.
  expect(layEvenly(150, 6.8, 0.5)).toEqual([0, 0.4]);
  expect(layEvenly(75, 2.4, 1)).toEqual([0, 0.8]);
});

it('findBeatNear gives the nearest beat within the tolerance', () => {
  expect(findBeatNear([1, 2, 3], 2.4, 1)).toBe(1);
  expect(findBeatNear([1, 2, 3], 2.6, 1)).toBe(2);
  expect(findBeatNear([1, 2, 3], 3.5, 0.5)).toBe(2);
  expect(findBeatNear([1, 2, 3], 3.6, 0.5)).toBeNull();
  expect(findBeatNear([], 0, 1)).toBeNull();
});
