import { describe, expect, it } from 'vitest';
import { readChord, showChord } from './chords.ts';

describe('a shown chord', () => {
  it.each([
    ['A:min7', 'Am7'],
    ['Bb:hdim7', 'Bbø7'],
    ['C:maj/3', 'C/E'],
    ['A:min/b3', 'Am/C'],
    ['A:min/3', 'Am/C'],
    ['C:7/b7', 'C7/Bb'],
    ['D:maj/3', 'D/F#'],
    ['Db:maj/4', 'Db/Gb'],
    // Abbreviated are only a bare "maj", "maj6", an initial "min", and diminished and augmented chords.
    ['C:minmaj7', 'Cmmaj7'],
    ['C:maj69', 'Cmaj69'],
    // A plain 3 is the chord's own third; any other degree counts from the major scale.
    ['C:dim/3', 'C°/Eb'],
    ['B:hdim7/3', 'Bø7/D'],
    ['A:min/5', 'Am/E'],
    ['C:maj/#4', 'C/F#'],
    ['C/3', 'C/E'],
    // A bass that is not a degree is left out.
    ['C:maj/x', 'C'],
    ['C:maj/b33', 'C'],
    ['C:maj/x3', 'C'],
    ['N', '–'],
    // A label that is not a chord is shown unchanged.
    ['X', 'X'],
    ['xC:maj', 'xC:maj'],
    ['C/', 'C/'],
  ])('%s is %s', (label, shown) => {
    expect(showChord(label)).toBe(shown);
  });

  it.each([
    // Two fifths are a whole tone.
    ['A:min7', 2, 'Bm7'],
    ['G:maj/5', 2, 'A/E'],
    ['Bb:maj', -2, 'Ab'],
    // Beyond Gb and A#, the enharmonic name.
    ['Gb:maj', -1, 'B'],
    ['A#:min', 1, 'Fm'],
    ['N', 3, '–'],
  ])('%s moved by %i fifths is %s', (label, fifths, shown) => {
    expect(showChord(label, fifths)).toBe(shown);
  });
});

describe('a typed chord', () => {
  it.each([
    ['Bbm7', 'Bb:min7'],
    ['c#', 'C#:maj'],
    ['F♯°', 'F#:dim'],
    ['Esus4', 'E:sus4'],
    ['D/F♯', 'D:maj/3'],
    ['Am7/g', 'A:min7/b7'],
    ['n', 'N'],
    ['–', 'N'],
    ['-', 'N'],
    ['None', 'N'],
    [' Am ', 'A:min'],
    ['C m7', 'C:min7'],
    ['D♭', 'Db:maj'],
    // Other ways to write a quality.
    ['Cmaj', 'C:maj'],
    ['Cmin', 'C:min'],
    ['CM7', 'C:maj7'],
    ['Cmin7', 'C:min7'],
    ['Cdim', 'C:dim'],
    ['Cdim7', 'C:dim7'],
    ['Cm7b5', 'C:hdim7'],
    ['Caug', 'C:aug'],
    // The bass may be on either side of the root on the line of fifths.
    ['C/F#', 'C:maj/b5'],
    ['F/E', 'F:maj/7'],
    ['C#/C', 'C#:maj/7'],
    ['C-', 'C:min'],
    ['nC', null],
    ['xC', null],
    ['none of them', null],
    ['H', null],
    ['C/H', null],
    ['Cmaj99', null],
    // The name of a property that every object has.
    ['Cconstructor', null],
    ['', null],
  ])('%s is %s', (typed, label) => {
    expect(readChord(typed)).toBe(label);
  });

  // Every quality that the service accepts, and a bass: the text in the field can be saved unchanged.
  it.each(
    'C Cm C5 C7 Cmaj7 Cm7 C° C°7 Cø7 Csus2 Csus4 C+ C6 Cm6 C9 Cmaj9 Cm9 Cmmaj7 C/E Cm/Eb Bb7/Ab'.split(' '),
  )('%s is shown as it was typed', (typed) => {
    expect(showChord(readChord(typed)!)).toBe(typed);
  });
});
