import { describe, expect, it } from 'vitest';
import { chordRecall, parseChord } from './chords.ts';

describe('chords', () => {
  it('reads the triad of a seventh chord in inversion', () => {
    expect(parseChord('A:min7/b3')).toEqual({ kind: 'chord', rootPitchClass: 9, triad: '0,3,7' });
    expect(parseChord('Eb:sus4(b7)')).toEqual({ kind: 'chord', rootPitchClass: 3, triad: '0,5,7' });
    expect(parseChord('F#')).toEqual({ kind: 'chord', rootPitchClass: 6, triad: '0,4,7' });
    expect(parseChord('N')).toEqual({ kind: 'none' });
    expect(parseChord('X')).toEqual({ kind: 'unscored' });
  });

  // Harte et al., ISMIR 2005: the intervals of each shorthand, without sevenths and tensions.
  it.each([
    ['C:maj7', '0,4,7'],
    ['C:7', '0,4,7'],
    ['C:maj6', '0,4,7'],
    ['C:9', '0,4,7'],
    ['C:min6', '0,3,7'],
    ['C:minmaj7', '0,3,7'],
    ['C:hdim7', '0,3,6'],
    ['C:dim7', '0,3,6'],
    ['C:aug', '0,4,8'],
    ['C:sus2', '0,2,7'],
    ['C:5', '0,7'],
    ['C:1', '0'],
    // Unknown shorthands count as the triad that they begin with, or as major.
    ['C:min13', '0,3,7'],
    ['C:aug7', '0,4,8'],
    ['C:add9', '0,4,7'],
    ['C:constructor', '0,4,7'],
    // Without a shorthand the intervals are the whole chord, of which the root may be left out.
    ['C:(3,5)', '0,4,7'],
    ['C:(1,b3,5,b7)', '0,3,7'],
    ['C:(1,5)', '0,7'],
    ['C:(1)', '0'],
    ['C:(1,4,b7)/5', '0,5'],
    // Otherwise they are added to it or, with a star, left out.
    ['C:maj(*3)', '0,7'],
    ['C:maj(4)', '0,4,5,7'],
    ['C:min(*b3,*5)', '0'],
    ['C:min7(11)', '0,3,7'],
  ])('reduces %s to the triad %s', (label, triad) => {
    expect(parseChord(label)).toEqual({ kind: 'chord', rootPitchClass: 0, triad });
  });

  it('counts silence as right where both have no chord, and skips gaps in the annotation', () => {
    const truth = [
      { start: 0, end: 1, label: 'N' },
      { start: 3, end: 4, label: 'C' },
    ];
    // Right in the first second; wrong in the fourth, where the answer has no chord.
    const guess = [{ start: 1, end: 3, label: 'C' }];
    expect(chordRecall(truth, guess)).toEqual({ rootShare: 0.5, majMinShare: 0.5 });
  });

  it('weights by time, and leaves out annotations that the metric does not score', () => {
    const truth = [
      { start: 0, end: 2, label: 'C' },
      { start: 2, end: 4, label: 'A:min' },
      { start: 4, end: 6, label: 'X' },
      { start: 6, end: 8, label: 'B:dim' },
    ];
    const guess = [
      { start: 0, end: 3, label: 'C:maj' },
      { start: 3, end: 4, label: 'A:maj' },
      { start: 4, end: 8, label: 'B:min' },
    ];
    // Roots: 2 s of C, 1 s of A and 2 s of B are right, of 6 s scored. Triads: 2 s of 4 s, since dim is not scored.
    expect(chordRecall(truth, guess)).toEqual({ rootShare: 5 / 6, majMinShare: 0.5 });
    // Null where nothing is scored.
    expect(chordRecall(truth.slice(3), guess)).toEqual({ rootShare: 1, majMinShare: null });
    expect(chordRecall(truth.slice(2, 3), guess)).toEqual({ rootShare: null, majMinShare: null });
  });
});
