import type { ResultDocument } from '@earshot/exports';
import { expect, it } from 'vitest';
import type { Song } from './song.ts';
import { formatLine, formatTable, tableRowOf } from './table.ts';

const DETECTED = {
  duration_seconds: 185,
  bpm: 127.984,
  bpm_confidence: 0.936,
  time_signature: 3,
  key_notation: 'F#m',
  key_confidence: 0.5,
  camelot: '11A',
  loudness_lufs: -9.46,
  true_peak_dbtp: 0.44,
  genre_suggestions: ['techno', 'house'],
};
const NOTHING_DETECTED = {
  ...Object.fromEntries(Object.keys(DETECTED).map((name) => [name, null])),
  duration_seconds: 2,
  genre_suggestions: [],
};
const song = (path: string, result: object) =>
  ({ path, result: result as ResultDocument }) as unknown as Song;

it('aligns each song under the headers, with a dash for unknown values', () => {
  const rows = [song('crate/loud.mp3', DETECTED), song('crate/silence.wav', NOTHING_DETECTED)].map(
    tableRowOf,
  );
  const [header, ...lines] = formatTable(rows)
    .split('\n')
    .map((line) => line.split(/ {2,}/));
  expect(header).toEqual([
    'file',
    'length',
    'bpm',
    'sure',
    'meter',
    'key',
    'sure',
    'camelot',
    'LUFS',
    'peak dBTP',
    'genre',
  ]);
  expect(lines).toEqual([
    ['loud.mp3', '3:05', '127.98', '94 %', '3/4', 'F#m', '50 %', '11A', '-9.5', '0.4', 'techno'],
    ['silence.wav', '0:02', ...Array(9).fill('–')],
  ]);
});

it('aligns its columns, and cuts names of more than forty columns', () => {
  const rows = [song('short.mp3', DETECTED), song(`${'x'.repeat(41)}.mp3`, DETECTED)].map(tableRowOf);
  const lines = formatTable(rows).split('\n');
  expect(new Set(lines.map((line) => line.length)).size).toBe(1);
  expect(lines[2]).toMatch(/^x{39}… /);
});

it('aligns columns below wide characters, and cuts between graphemes', () => {
  const rows = [song('聽見.mp3', DETECTED), song(`${'🎵'.repeat(30)}.mp3`, DETECTED)].map(tableRowOf);
  const [header, han, notes] = formatTable(rows).split('\n') as [string, string, string];
  expect(notes).toMatch(/^(🎵){19}… {2,}/u);
  // Two and nineteen characters that are two columns wide; the notes are two UTF-16 units each, so their length is already right.
  expect([han.length + 2, notes.length]).toEqual([header.length, header.length]);
});

it('replaces control characters', () => {
  const outcome = { path: 'a/\u001b[2J\n.mp3', error: 'There is no file /a/\u001b[2J\n.mp3.' };
  const shown = '\ufffd[2J\ufffd.mp3: There is no file /a/\ufffd[2J\ufffd.mp3.';
  expect(formatTable([tableRowOf(outcome)]).split('\n')[1]).toBe(shown);
  expect(formatLine(outcome)).toBe(shown);
  expect(formatLine(song('\u001b[2J.mp3', NOTHING_DETECTED))).toBe('\ufffd[2J.mp3  –  –  –');
});

it('formats a song as one line', () => {
  expect(formatLine(song('loud.mp3', DETECTED))).toBe('loud.mp3  127.98 BPM  F#m (11A)  -9.5 LUFS');
  expect(formatLine(song('silence.wav', NOTHING_DETECTED))).toBe('silence.wav  –  –  –');
  expect(formatLine({ path: 'a/letter.mp3', error: 'Not audio.' })).toBe('letter.mp3: Not audio.');
});
