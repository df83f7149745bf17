import { PITCH_NAMES, SCALES } from '@earshot/contract';
import { describe, expect, it } from 'vitest';
import { keyName } from './music/spelling.ts';
import { groupColour, indexAt, itemAt, KEYS, type Result, shownChords } from './result.ts';

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

describe('the chords that are shown', () => {
  const chord = (start_seconds: number, label: string, confidence: number) => ({
    start_seconds,
    end_seconds: start_seconds + 2,
    label,
    roman: null,
    bar: null,
    beat: null,
    confidence,
  });
  const withChords = (chords: object[], chords_sevenths: object[]) =>
    ({ tonal: { chords, chords_sevenths } }) as unknown as Result;

  it('are triads as heard, and whole where a person has said them', () => {
    const heard = [chord(0, 'C:maj', 0.9), chord(2, 'A:min', 1), chord(4, 'G:maj', 0.8)];
    const sevenths = [chord(0, 'C:maj7', 0.7), chord(2, 'A:min7', 1), chord(4, 'G:7', 0.6)];
    const shown = shownChords(withChords(heard, sevenths));
    expect(shown.map(({ label }) => label)).toEqual(['C:maj', 'A:min7', 'G:maj']);
  });

  it('stay triads where only one of the two lists is sure', () => {
    const oneSure = withChords(
      [chord(0, 'C:maj', 1), chord(2, 'A:min', 0.9)],
      [chord(0, 'C:maj7', 0.7), chord(2, 'A:min7', 1)],
    );
    expect(shownChords(oneSure).map(({ label }) => label)).toEqual(['C:maj', 'A:min']);
  });

  it('are none where the harmony was not asked for', () => {
    expect(shownChords({ tonal: null } as unknown as Result)).toEqual([]);
  });
});
