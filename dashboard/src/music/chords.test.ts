import { describe, expect, it } from 'vitest';
import { readChord, showChord } from './chords.ts';

describe('a chord as players write it', () => {
  it.each([
    ['A:min7', 'Am7'],
    ['Bb:hdim7', 'Bbø7'],
    ['C:maj/3', 'C/E'],
    ['A:min/b3', 'Am/C'],
    ['A:min/3', 'Am/C'],
    ['C:7/b7', 'C7/Bb'],
    ['D:maj/3', 'D/F#'],
    ['Db:maj/4', 'Db/Gb'],
    ['N', '–'],
  ])('%s is %s', (label, shown) => {
    expect(showChord(label)).toBe(shown);
  });

  it.each([
    // A tone up is two fifths up.
    ['A:min7', 2, 'Bm7'],
    ['G:maj/5', 2, 'A/E'],
    ['Bb:maj', -2, 'Ab'],
    // Beyond Gb and A#, its plain neighbour.
    ['Gb:maj', -1, 'B'],
    ['A#:min', 1, 'Fm'],
    ['N', 3, '–'],
  ])('%s moved by %i fifths is %s', (label, fifths, shown) => {
    expect(showChord(label, fifths)).toBe(shown);
  });
});

describe('a chord as players type it', () => {
  it.each([
    ['Bbm7', 'Bb:min7'],
    ['c#', 'C#:maj'],
    ['F♯°', 'F#:dim'],
    ['Esus4', 'E:sus4'],
    ['D/F♯', 'D:maj/3'],
    ['Am7/g', 'A:min7/b7'],
    ['n', 'N'],
    ['H', null],
    ['C/H', null],
    ['Cmaj99', null],
    ['', null],
  ])('%s is %s', (typed, label) => {
    expect(readChord(typed)).toBe(label);
  });

  // Every quality that the service takes, and a bass: what stands in the field can be saved as it stands.
  it.each(
    'C Cm C5 C7 Cmaj7 Cm7 C° C°7 Cø7 Csus2 Csus4 C+ C6 Cm6 C9 Cmaj9 Cm9 Cmmaj7 C/E Cm/Eb Bb7/Ab'.split(' '),
  )('%s is shown as it was typed', (typed) => {
    expect(showChord(readChord(typed)!)).toBe(typed);
  });
});
