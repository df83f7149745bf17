import { describe, expect, it } from 'vitest';
import type { Result } from '../result.ts';
import { writeLeadSheet } from './lead-sheet.ts';

/** Four bars of 4/4 at 120 BPM from 0 s: a bar is two seconds. */
const beats = Array.from({ length: 16 }, (_, index) => ({
  time_seconds: index / 2,
  confidence: 1,
  beat_in_bar: (index % 4) + 1,
  bar: Math.floor(index / 4),
}));
const chord = (start_seconds: number, end_seconds: number, label: string) => ({
  start_seconds,
  end_seconds,
  label,
  roman: null,
  bar: null,
  beat: null,
  confidence: 1,
});
const song = {
  duration_seconds: 8,
  time_signature: 4,
  rhythm: { beats },
  tonal: {
    chords: [chord(0, 3, 'C:maj'), chord(3, 5.95, 'F:maj'), chord(5.95, 8, 'G:maj')],
    chords_sevenths: [],
  },
  structure: {
    sections: [
      { start_seconds: 0, end_seconds: 3.95, label: 'verse' },
      { start_seconds: 3.95, end_seconds: 8, label: 'chorus' },
    ],
  },
} as unknown as Result;

describe('a lead sheet', () => {
  it('groups bars by section and writes chords where they begin', () => {
    const shown = writeLeadSheet(song).map(({ name, bars }) => [
      name,
      bars.map(({ number, chords }) => [number, chords.map(({ label }) => label)]),
    ]);
    expect(shown).toEqual([
      [
        'verse',
        [
          [1, ['C:maj']],
          [2, ['F:maj']],
        ],
      ],
      // F is held into the chorus and repeated in its first bar; G begins 50 ms before bar 4 and belongs to it.
      [
        'chorus',
        [
          [3, ['F:maj']],
          [4, ['G:maj']],
        ],
      ],
    ]);
  });

  it.each([3.05, 4.95])(
    'gives a bar to the section that contains its middle: with a boundary at %d s, bar 3 to the second',
    (boundarySeconds) => {
      const sections = [
        { start_seconds: 0, end_seconds: boundarySeconds, label: 'verse' },
        { start_seconds: boundarySeconds, end_seconds: 8, label: 'chorus' },
      ];
      const parts = writeLeadSheet({ ...song, structure: { sections } } as unknown as Result);
      expect(parts.map(({ bars }) => bars[0]?.number)).toEqual([1, 3]);
    },
  );

  it('writes a corrected chord in full, not as its triad', () => {
    const tonal = { chords: [chord(0, 8, 'A:min')], chords_sevenths: [chord(0, 8, 'A:min7')] };
    const [part] = writeLeadSheet({ ...song, tonal } as unknown as Result);
    expect(part?.bars[0]?.chords.map(({ label }) => label)).toEqual(['A:min7']);
  });

  it('counts an upbeat as bar 1', () => {
    const upbeat = [2, 3].map((place) => ({ ...beats[place]!, time_seconds: (place - 2) / 2 }));
    const rest = beats.map((beat) => ({ ...beat, bar: beat.bar + 1, time_seconds: beat.time_seconds + 1 }));
    const tonal = { chords: [chord(0, 1, 'D:min'), chord(1, 9, 'C:maj')], chords_sevenths: [] };
    const shown = writeLeadSheet({
      ...song,
      rhythm: { beats: [...upbeat, ...rest] },
      tonal,
      structure: null,
    } as unknown as Result);
    expect(shown[0]?.name).toBeNull();
    expect(shown[0]?.bars.map(({ number, chords }) => [number, chords.map(({ label }) => label)])).toEqual([
      [1, ['D:min']],
      [2, ['C:maj']],
      [3, []],
      [4, []],
      [5, []],
    ]);
  });

  it.each([
    // Bar 4 begins at 6 s.
    [5.89, 4],
    [5.87, 3],
  ])('gives a chord that begins at %d s to bar %i', (chordSeconds, number) => {
    const tonal = { chords: [chord(chordSeconds, 8, 'G:maj')], chords_sevenths: [] };
    const bars = writeLeadSheet({ ...song, tonal } as unknown as Result).flatMap((part) => part.bars);
    expect(bars.filter(({ chords }) => chords.length > 0).map((bar) => bar.number)).toEqual([number]);
  });

  it('is empty without beats', () => {
    expect(writeLeadSheet({ ...song, rhythm: null })).toEqual([]);
  });
});
