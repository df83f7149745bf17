import { describe, expect, it } from 'vitest';
import { writeChordPro } from './chordpro.ts';
import type { ExportSource } from './export-source.ts';
import { SONG } from './test-song.ts';

const withDocument = (fields: Partial<ExportSource['document']>): ExportSource => ({
  ...SONG,
  document: { ...SONG.document, ...fields },
});
const withoutBeats = (labels: string[]): ExportSource => {
  const [chord] = SONG.document.tonal!.chords_sevenths;
  return withDocument({
    rhythm: null,
    tonal: { ...SONG.document.tonal!, chords_sevenths: labels.map((label) => ({ ...chord!, label })) },
  });
};

describe('writeChordPro', () => {
  it('writes a grid for every section: each bar begins with its chord, and has a dot on each beat that continues it', () => {
    expect(writeChordPro(SONG)).toBe(`{title: Tom & "Jerry" <live>}
{artist: Zoë}
{key: Am}
{tempo: 120}
{time: 4/4}
{duration: 0:17}

{start_of_grid}
| N.C. |
{end_of_grid}

{start_of_grid: verse}
| Am7 . . . | Am7 . . . | Am7 . . . | Am7 . . . |
{end_of_grid}

{start_of_grid: pre-chorus}
| C/E . . . | C/E . . . |
{end_of_grid}
`);
  });

  it('begins a line after every four bars', () => {
    expect(writeChordPro(withDocument({ structure: null }))).toContain(
      '\n| N.C. | Am7 . . . | Am7 . . . | Am7 . . . |\n| Am7 . . . | C/E . . . | C/E . . . |\n{end_of_grid}\n',
    );
  });

  it('leaves out what is not known, and writes the chords in a line if there are no beats', () => {
    const { document } = withoutBeats(['N', 'A:min7', 'X', 'C:maj/3']);
    const unknown = { ...document, bpm: null, time_signature: null, key_notation: null };
    expect(writeChordPro(withDocument(unknown))).toBe(
      '{title: Tom & "Jerry" <live>}\n{artist: Zoë}\n{duration: 0:17}\n\n[Am7] [C/E]\n',
    );
  });

  it('replaces the characters that would end a directive', () => {
    const names = { title: 'a}b\n{c', artist: null, album: 'Two\rLines' };
    expect(
      writeChordPro({ ...SONG, names })
        .split('\n')
        .slice(0, 3),
    ).toEqual(['{title: a b  c}', '{artist: Zoë}', '{album: Two Lines}']);
  });

  it('counts minutes beyond an hour', () => {
    expect(writeChordPro(withDocument({ duration_seconds: 3_725.9 }))).toContain('{duration: 62:05}');
  });
});
