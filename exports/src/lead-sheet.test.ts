import { describe, expect, it } from 'vitest';
import type { ExportSource } from './export-source.ts';
import { readSheet } from './lead-sheet.ts';
import { SONG } from './test-song.ts';

const withChordsAt = (...starts: [seconds: number, label: string][]): ExportSource => {
  const [chord] = SONG.document.tonal!.chords_sevenths;
  const chords_sevenths = starts.map(([start_seconds, label]) => ({ ...chord!, start_seconds, label }));
  return { ...SONG, document: { ...SONG.document, tonal: { ...SONG.document.tonal!, chords_sevenths } } };
};
/** The song has a pickup beat at 0.25 s and bars of two seconds from 0.75 s. */
const firstBar = (source: ExportSource) => readSheet(source)[1]!.chords;

describe('readSheet', () => {
  it('has a pickup, then a bar for each number of the beats', () => {
    const bars = readSheet(SONG);
    expect(bars.map(({ chords, isPickup }) => [chords.length, isPickup])).toEqual([
      [1, true],
      ...new Array(6).fill([4, false]),
    ]);
  });

  it('places a chord that begins up to 70 ms after a beat on that beat, and a later one on the next', () => {
    expect(firstBar(withChordsAt([0, 'C:maj'], [1.31, 'G:maj']))).toEqual([
      'C:maj',
      'G:maj',
      'G:maj',
      'G:maj',
    ]);
    expect(firstBar(withChordsAt([0, 'C:maj'], [1.33, 'G:maj']))).toEqual([
      'C:maj',
      'C:maj',
      'G:maj',
      'G:maj',
    ]);
  });

  it('has null for no chord, an unknown chord, and before the first', () => {
    expect(firstBar(withChordsAt([1.25, 'N'], [1.75, 'X'], [2.25, 'G:maj']))).toEqual([
      null,
      null,
      null,
      'G:maj',
    ]);
  });

  it('names a section at the bar whose middle it has reached, once', () => {
    const [section] = SONG.document.structure!.sections;
    // 0.1 s after a downbeat, and 0.1 s after the middle of the next bar.
    const sections = [2.85, 5.6].map((start_seconds, index) => ({
      ...section!,
      start_seconds,
      label: index === 0 ? ('verse' as const) : ('chorus' as const),
    }));
    const structure = { ...SONG.document.structure!, sections };
    const bars = readSheet({ ...SONG, document: { ...SONG.document, structure } });
    expect(bars.map((bar) => bar.section)).toEqual([null, null, 'verse', null, 'chorus', null, null]);
  });

  it('is empty without beats', () => {
    expect(readSheet({ ...SONG, document: { ...SONG.document, rhythm: null } })).toEqual([]);
  });
});
