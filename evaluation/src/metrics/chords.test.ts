import { describe, expect, it } from 'vitest';
import { chordRecall, parseChord } from './chords.ts';

describe('chords', () => {
  it('reads the triad of a seventh chord in inversion', () => {
    expect(parseChord('A:min7/b3')).toEqual({ kind: 'chord', root: 9, triad: '0,3,7' });
    expect(parseChord('Eb:sus4(b7)')).toEqual({ kind: 'chord', root: 3, triad: '0,5,7' });
    expect(parseChord('F#')).toEqual({ kind: 'chord', root: 6, triad: '0,4,7' });
    expect(parseChord('N')).toEqual({ kind: 'none' });
    expect(parseChord('X')).toEqual({ kind: 'unscored' });
  });

  it('weights by time, and leaves out references that the metric does not score', () => {
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
    expect(chordRecall(truth, guess)).toEqual({ root: 5 / 6, majMin: 0.5 });
    // Null, not 0, where nothing is scored.
    expect(chordRecall(truth.slice(3), guess)).toEqual({ root: 1, majMin: null });
    expect(chordRecall(truth.slice(2, 3), guess)).toEqual({ root: null, majMin: null });
  });
});
