import { PITCH_NAMES, SCALES } from '@earshot/contract';
import { describe, expect, it } from 'vitest';
import { keyName } from './music/spelling.ts';
import { groupColour, indexAt, itemAt, KEYS } from './result.ts';

describe('keys a correction can name', () => {
  it('are the twenty-four of the service, each spelled by its signature', () => {
    const keys = PITCH_NAMES.flatMap((tonic) => SCALES.map((scale) => keyName(tonic, scale)));
    expect([...KEYS].sort()).toEqual([...keys].sort());
  });
});

describe('the colour of a group of sections', () => {
  it('is one for each of eight letters, and comes again with the ninth', () => {
    const colours = [...'ABCDEFGH'].map(groupColour);
    expect(new Set(colours).size).toBe(8);
    expect([...'IJ'].map(groupColour)).toEqual(colours.slice(0, 2));
    // A sign before the letters has a colour too.
    expect(groupColour('@')).toBe(colours[7]);
  });
});

describe('what sounds at a time', () => {
  const starts = [0, 2, 2, 5];
  const startOf = (start: number) => start;

  it.each([
    [-0.1, -1],
    [0, 0],
    [1.9, 0],
    [2, 2],
    [4.9, 2],
    [5, 3],
    [99, 3],
  ])('at %d s the last that has begun has the place %d', (seconds, index) => {
    expect(indexAt(starts, seconds, startOf)).toBe(index);
    expect(itemAt(starts, seconds, startOf)).toBe(starts[index] ?? null);
  });

  it('is nothing where there is nothing', () => {
    expect(itemAt([], 1, startOf)).toBeNull();
  });
});
