import { describe, expect, it } from 'vitest';
import { chartChords, chartKey } from './chart-spelling.ts';
import { SONG } from './test-song.ts';

describe('chartChords', () => {
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
  ])('spells %s as %s in Eb minor', (label, spelled) => {
    expect(chart('Ebm', label)).toBe(spelled);
  });

  it.each(['E', 'Abm', 'F#m', null])('keeps the spelling in %s', (key) => {
    expect(chart(key, 'D#:min')).toBe('D#:min');
  });
});

it('chartKey spells a key with the shorter signature, except Eb minor', () => {
  expect(['C#', 'Abm', 'Ebm', 'C#m', 'Ab'].map(chartKey)).toEqual(['Db', 'G#m', 'Ebm', 'C#m', 'Ab']);
});
