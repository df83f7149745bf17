import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { makeUnreadable } from '../test-unreadable.ts';
import { watchFolders } from './watch-folders.ts';

/** What happens between two looks. */
let steps: (() => void)[] = [];
vi.mock('node:timers/promises', () => ({ setTimeout: async () => steps.shift()?.() }));

makeUnreadable('lost+found');

const OPTIONS = { exceptFolder: null, intervalMs: 1, warn: () => {} };

it('hands a song out when it has stopped growing, once, and again when it changed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-watch-'));
  const out = join(folder, 'out');
  mkdirSync(out);
  const [early, late] = [join(folder, 'early.wav'), join(folder, 'late.wav')];
  writeFileSync(early, 'whole');
  const stopping = new AbortController();
  const told: string[] = [];
  const noteTurn = (name: string) => () => void told.push(name);
  steps = [
    noteTurn('first look'),
    () => writeFileSync(late, 'half'),
    () => writeFileSync(late, 'half and half'),
    noteTurn('late has grown'),
    noteTurn('late has not grown'),
    () => writeFileSync(join(out, 'late.wav'), 'ours'),
    () => utimesSync(early, 1, 1),
    noteTurn('early has changed'),
    noteTurn('early is as it was'),
    () => stopping.abort(),
  ];
  const paths = watchFolders([folder], { ...OPTIONS, exceptFolder: out, signal: stopping.signal });
  for await (const path of paths) told.push(path);
  expect(told).toEqual([
    'first look',
    early,
    'late has grown',
    late,
    'late has not grown',
    'early has changed',
    early,
    'early is as it was',
  ]);
  rmSync(folder, { recursive: true });
});

it('looks for a folder again that was away', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-watch-'));
  const song = join(folder, 'song.wav');
  writeFileSync(song, 'whole');
  const stopping = new AbortController();
  steps = [
    () => renameSync(folder, `${folder}-away`),
    () => renameSync(`${folder}-away`, folder),
    () => {},
    () => stopping.abort(),
  ];
  const told: string[] = [];
  const paths = watchFolders([folder], { ...OPTIONS, signal: stopping.signal });
  for await (const path of paths) told.push(path);
  expect(told).toEqual([song]);
  rmSync(folder, { recursive: true });
});

it('names a folder that cannot be read once, and watches the others', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-watch-'));
  mkdirSync(join(folder, 'lost+found'));
  const song = join(folder, 'song.wav');
  writeFileSync(song, 'whole');
  const stopping = new AbortController();
  steps = [() => {}, () => {}, () => stopping.abort()];
  const told: string[] = [];
  const warn = (sentence: string) => void told.push(sentence);
  const paths = watchFolders([folder], { ...OPTIONS, warn, signal: stopping.signal });
  for await (const path of paths) told.push(path);
  expect(told).toEqual([`${join(folder, 'lost+found')} may not be read.`, song]);
  rmSync(folder, { recursive: true });
});
