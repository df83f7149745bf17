import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ExportUnavailable } from '@earshot/exports';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readAnalyzeOptions } from './analyze-options.ts';
import { createOutputs } from './outputs.ts';
import type { Song } from './song.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-outputs-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const songAt = (path: string, options: Partial<Song> = {}): Song => ({
  path,
  result: { file: { name: path } } as unknown as Song['result'],
  writeExport: async (format) => `${format} of ${path}`,
  writeReport: async (format) => `${format} of ${path}`,
  ...options,
});
const write = (...args: string[]) => createOutputs(readAnalyzeOptions(['songs', '--out', folder, ...args]));

it('gives songs of the same name in different folders different output names, ignoring case', async () => {
  const put = write();
  for (const path of ['a/song.mp3', 'b/song.mp3', 'c/Song.flac']) expect(await put(songAt(path))).toEqual([]);
  // A song that has changed in a watched folder is written again.
  await put(songAt('b/song.mp3', { result: { file: { name: 'changed' } } as unknown as Song['result'] }));
  // Names that differ only in case are one file on macOS and Windows.
  expect(readdirSync(folder).sort()).toEqual(['Song-3.json', 'song-2.json', 'song.json']);
  expect(JSON.parse(readFileSync(join(folder, 'song-2.json'), 'utf8'))).toEqual({
    file: { name: 'changed' },
  });
});

it('assigns names in the order the songs were found, whichever is done first', async () => {
  const options = readAnalyzeOptions(['songs', '--out', folder]);
  const put = createOutputs(options, ['a/song.mp3', 'b/song.mp3']);
  for (const path of ['b/song.mp3', 'a/song.mp3']) await put(songAt(path));
  expect(JSON.parse(readFileSync(join(folder, 'song.json'), 'utf8'))).toEqual({
    file: { name: 'a/song.mp3' },
  });
});

it('writes the formats of --format, and the result only with --json', async () => {
  await write('--format', 'jams,lab-beats')(songAt('a/song.mp3'));
  expect(readdirSync(folder).sort()).toEqual(['song.beats.lab', 'song.jams']);
  expect(readFileSync(join(folder, 'song.jams'), 'utf8')).toBe('jams of a/song.mp3');
  await write('--format', 'jams', '--json')(songAt('a/other.mp3'));
  expect(readdirSync(folder)).toContain('other.json');
});

it('names an export that is unavailable, and writes the others', async () => {
  const song = songAt('a/song.mp3', {
    writeExport: async (format) => {
      if (format === 'lab-chords') throw new ExportUnavailable('There are no chords.');
      return format;
    },
  });
  expect(await write('--format', 'lab-chords,jams')(song)).toEqual([
    'a/song.mp3: no lab-chords: There are no chords.',
  ]);
  expect(readdirSync(folder)).toEqual(['song.jams']);
});

it('names an output whose file name is too long, and writes the others', async () => {
  // 252 bytes with its extension; most file systems allow 255.
  const path = `${'🎵'.repeat(62)}.mp3`;
  const put = write('--format', 'spotify-audio-analysis,jams');
  const [problem, ...others] = await put(songAt(path));
  expect(problem).toMatch(/^🎵+\.mp3: no spotify-audio-analysis: ENAMETOOLONG/u);
  expect(others).toEqual([]);
  expect(readdirSync(folder)).toEqual([`${'🎵'.repeat(62)}.jams`]);
});

it('writes a tagged copy, and the genre into it only with --genre', async () => {
  const path = fileURLToPath(new URL('../../../decode/fixtures/no-info.mp3', import.meta.url));
  const result = {
    bpm: 128,
    key_notation: null,
    camelot: null,
    loudness: null,
    genre_suggestions: ['hip-hop'],
  };
  const song = songAt(path, { result: result as unknown as Song['result'] });
  const copy = () => readFileSync(join(folder, 'no-info.mp3'), 'latin1');
  expect(await write('--write-tags')(song)).toEqual([]);
  expect(copy()).toContain('fBPM\x00128.00');
  expect(copy()).not.toContain('Hip-Hop');
  expect(await write('--write-tags', '--genre')(song)).toEqual([]);
  expect(copy()).toContain('Hip-Hop');
  expect(readdirSync(folder)).toEqual(['no-info.mp3']);
});

it('writes the report in the format of its extension', async () => {
  const path = join(folder, 'song.pdf');
  await createOutputs(readAnalyzeOptions(['song.mp3', '--report', path]))(songAt('song.mp3'));
  expect(readFileSync(path, 'utf8')).toBe('pdf of song.mp3');
});
