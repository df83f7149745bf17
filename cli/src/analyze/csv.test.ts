import { expect, it } from 'vitest';
import { formatCsv } from './csv.ts';
import type { Song } from './song.ts';

const song = (path: string, result: object) =>
  ({
    path,
    result: { file: { tags: {} }, loudness: null, genre_suggestions: [], mood_tags: [], ...result },
  }) as unknown as Song;

it('has a row for each song, what is not known empty and what failed at the end', () => {
  const table = formatCsv([
    song('a, b.mp3', {
      bpm: 127.98,
      key_notation: 'F#m',
      camelot: '11A',
      file: { tags: { title: '=SUM(A1)', artist: 'Ada "Count"' } },
    }),
    { path: 'letter.mp3', error: 'This is not an audio file.' },
  ]);
  const [header, first, second, end] = table.split('\r\n');
  const columns = header!.split(',');
  expect(columns.slice(0, 6)).toEqual(['path', 'title', 'artist', 'album', 'duration_seconds', 'bpm']);
  // A formula stays text, quotes are doubled.
  expect(first).toBe(
    `"a, b.mp3",'=SUM(A1),"Ada ""Count""",,,127.98,,,F#m,11A${','.repeat(columns.length - 10)}`,
  );
  expect(second).toBe(`letter.mp3${','.repeat(columns.length - 1)}This is not an audio file.`);
  expect(end).toBe('');
});
