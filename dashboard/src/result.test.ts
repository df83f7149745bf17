import { describe, expect, it } from 'vitest';
import { type Result, shownChords } from './result.ts';

describe('shownChords', () => {
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

  it('returns the detected triads, and the full chord where a user corrected it', () => {
    const triads = [chord(0, 'C:maj', 0.9), chord(2, 'A:min', 1), chord(4, 'G:maj', 0.8)];
    const sevenths = [chord(0, 'C:maj7', 0.7), chord(2, 'A:min7', 1), chord(4, 'G:7', 0.6)];
    const shown = shownChords(withChords(triads, sevenths));
    expect(shown.map(({ label }) => label)).toEqual(['C:maj', 'A:min7', 'G:maj']);
  });

  it('keeps the triad where only one of the two lists has confidence 1', () => {
    const inOneList = withChords(
      [chord(0, 'C:maj', 1), chord(2, 'A:min', 0.9)],
      [chord(0, 'C:maj7', 0.7), chord(2, 'A:min7', 1)],
    );
    expect(shownChords(inOneList).map(({ label }) => label)).toEqual(['C:maj', 'A:min']);
  });

  it('is empty for a result without the tonal group', () => {
    expect(shownChords({ tonal: null } as unknown as Result)).toEqual([]);
  });
});
