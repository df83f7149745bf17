import { describe, expect, it } from 'vitest';
import { chartChords, chartKey } from './chart-spelling.ts';
import { chartName, parseChord } from './chord-label.ts';
import { SONG } from './test-song.ts';

describe('chartName', () => {
  it.each([
    ['A:min7', 'Am7'],
    ['C:maj', 'C'],
    ['C', 'C'],
    ['F#:hdim7', 'F#m7b5'],
    ['Bb:sus4', 'Bbsus4'],
    ['C:maj/3', 'C/E'],
    ['A:min/b3', 'Am/C'],
    ['C:min/b3', 'Cm/Eb'],
    ['D:7/b7', 'D7/C'],
    ['E:maj/5', 'E/B'],
    ['C:maj/b7', 'C/Bb'],
    ['A:dim/b5', 'Adim/Eb'],
    ['F#:maj/3', 'F#/A#'],
    ['Gb:7/b7', 'Gb7/E'],
    ['G:min11', 'Gm'],
    ['N', 'N.C.'],
    ['X', 'N.C.'],
  ])('%s is %s', (label, name) => {
    expect(chartName(label)).toBe(name);
  });
});

describe('parseChord', () => {
  it('has the notes of a chord above its root, and its bass', () => {
    expect(parseChord('E:min7/b7')).toMatchObject({
      rootPitchClass: 4,
      intervals: [0, 3, 7, 10],
      bassPitchClass: 2,
    });
  });

  it('has none for what is no chord', () => {
    for (const label of ['N', 'X', '', 'H:maj', 'A:min/x']) expect(parseChord(label)).toBeNull();
  });
});

describe('a chart in Eb minor, whose chords results write as those of D# minor', () => {
  const chart = (key_notation: string | null, label: string) => {
    const [chord] = SONG.document.tonal!.chords_sevenths;
    const tonal = { ...SONG.document.tonal!, chords_sevenths: [{ ...chord!, label }] };
    return chartChords({ ...SONG.document, key_notation, tonal })[0]!.label;
  };

  it.each([
    ['D#:min', 'Eb:min'],
    ['A#:7/b7', 'Bb:7/b7'],
    ['F#:maj/3', 'Gb:maj/3'],
    ['B:maj', 'B:maj'],
    ['N', 'N'],
  ])('%s is %s', (label, spelled) => {
    expect(chart('Ebm', label)).toBe(spelled);
  });

  it('is alone in that', () => {
    for (const key of ['E', 'Abm', 'F#m', null]) expect(chart(key, 'D#:min')).toBe('D#:min');
  });
});

it('the key of a chart is the one its chords are spelled in', () => {
  expect(['C#', 'Abm', 'Ebm', 'C#m', 'Ab'].map(chartKey)).toEqual(['Db', 'G#m', 'Ebm', 'C#m', 'Ab']);
});
