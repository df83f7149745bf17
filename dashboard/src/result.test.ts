import { describe, expect, it } from 'vitest';
import { type Result, shownChords } from './result.ts';

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
