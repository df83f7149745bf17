import { expect, it } from 'vitest';
import { CSV_HEADER, csvRowOf } from './csv.ts';
import type { Outcome, Song } from './song.ts';

const NO_TAGS = { title: null, artist: null, album: null, genre: null };
const song = (path: string, tags: object, result: object) =>
  ({
    path,
    result: {
      file: { tags: { ...NO_TAGS, ...tags } },
      bpm: null,
      loudness: null,
      content: null,
      genre_suggestions: [],
      mood_tags: [],
      ...result,
    },
  }) as unknown as Song;

const formatCsv = (outcomes: Outcome[]) => [CSV_HEADER, ...outcomes.map(csvRowOf)].join('');

/** Each row as an object, cells still quoted. */
function readTable(table: string): Record<string, string>[] {
  const [header, ...rows] = table
    .trimEnd()
    .split('\r\n')
    .map((line) => [...line.matchAll(/(?:^|,)("(?:[^"]|"")*"|[^,]*)/g)].map(([, cell]) => cell!));
  return rows.map((row) => Object.fromEntries(header!.map((name, index) => [name, row[index]!])));
}

it('has a row per song, empty cells for unknown values, and the error in the last column', () => {
  const table = formatCsv([
    song(
      'a, b.mp3',
      { title: '=SUM(A1)', artist: 'Ada "Count"' },
      { bpm: 127.98, key_notation: 'F#m', camelot: '11A', mood_tags: ['happy', 'calm'] },
    ),
    { path: 'letter.mp3', error: 'This is not an audio file.' },
  ]);
  const [first, second, ...others] = readTable(table);
  expect(others).toEqual([]);
  expect(Object.keys(first!).slice(0, 4)).toEqual(['path', 'title', 'artist', 'album']);
  expect(Object.keys(first!).at(-1)).toBe('error');
  // A formula stays text, quotes are doubled.
  expect(first).toMatchObject({
    path: '"a, b.mp3"',
    title: "'=SUM(A1)",
    artist: '"Ada ""Count"""',
    album: '',
    bpm: '127.98',
    key: 'F#m',
    camelot: '11A',
    moods: '"happy, calm"',
    error: '',
  });
  expect(second).toMatchObject({
    path: 'letter.mp3',
    title: '',
    bpm: '',
    error: 'This is not an audio file.',
  });
});

it('titles a song without a title by its file, and separates its genre tag from the detected genre', () => {
  const [row] = readTable(
    formatCsv([song('crate/-intro.mp3', { genre: 'Other' }, { genre_suggestions: ['techno'] })]),
  );
  expect(row).toMatchObject({
    path: 'crate/-intro.mp3',
    title: "'-intro.mp3",
    file_name: "'-intro.mp3",
    genre: 'Other',
    genre_heard: 'techno',
  });
});
