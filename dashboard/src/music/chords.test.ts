import { describe, expect, it } from 'vitest';
import { readChord, showChord } from './chords.ts';

describe('a chord as players write it', () => {
  it.each([
    ['A:min7', 0, false, 'Am7'],
    ['A:min7', 2, false, 'Bm7'],
    ['C:maj', -1, false, 'B'],
    ['C:maj', 1, true, 'Db'],
    ['Bb:hdim7', 0, true, 'Bbø7'],
    ['C:maj/3', 0, false, 'C/E'],
    ['A:min/b3', 0, false, 'Am/C'],
    ['A:min/3', 0, false, 'Am/C'],
    ['G:maj/5', 5, false, 'C/G'],
    ['N', 3, false, '–'],
  ])('%s moved by %i (flats: %s) is %s', (label, semitones, flats, shown) => {
    expect(showChord(label, { semitones, flats })).toBe(shown);
  });
});

describe('a chord as players type it', () => {
  it.each([
    ['Bbm7', 'Bb:min7'],
    ['c#', 'C#:maj'],
    ['F♯°', 'F#:dim'],
    ['Esus4', 'E:sus4'],
    ['n', 'N'],
    ['H', null],
    ['Cmaj99', null],
    ['', null],
  ])('%s is %s', (typed, label) => {
    expect(readChord(typed)).toBe(label);
  });

  it.each(['C6', 'Cm6', 'C°7', 'Cø7', 'C+', 'Csus2', 'Cmaj7', 'C5'])(
    '%s is shown as it was typed',
    (typed) => {
      expect(showChord(readChord(typed)!)).toBe(typed);
    },
  );
});
