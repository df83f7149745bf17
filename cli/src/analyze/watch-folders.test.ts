import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { replaceDelays } from '../test-delays.ts';
import { makeUnreadable } from '../test-unreadable.ts';
import { watchFolders } from './watch-folders.ts';

/** What happens between two scans; the replaced delay runs the next step. */
let steps: (() => void)[] = [];
replaceDelays(() => steps.shift()?.());

makeUnreadable('lost+found');
makeUnreadable('locked/song.wav', 'statSync');

const OPTIONS = { exceptFolder: null, intervalMs: 1, warn: () => {} };

it('yields a song once when it has stopped growing, and again when it has changed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-watch-'));
  const out = join(folder, 'out');
  mkdirSync(out);
  const [early, late] = [join(folder, 'early.wav'), join(folder, 'late.wav')];
  writeFileSync(early, 'whole');
  const stopping = new AbortController();
  const events: string[] = [];
  const note = (name: string) => () => void events.push(name);
  steps = [
    note('first scan'),
    () => writeFileSync(late, 'half'),
    () => writeFileSync(late, 'half and half'),
    note('late has grown'),
    note('late has not grown'),
    () => writeFileSync(join(out, 'late.wav'), 'ours'),
    () => utimesSync(early, 1, 1),
    note('early has changed'),
    note('early is as it was'),
    () => stopping.abort(),
  ];
  const paths = watchFolders([folder], { ...OPTIONS, exceptFolder: out, signal: stopping.signal });
  for await (const path of paths) events.push(path);
  expect(events).toEqual([
    'first scan',
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

it('yields no further song of a scan once it is stopped', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-watch-'));
  for (const name of ['one.wav', 'two.wav']) writeFileSync(join(folder, name), 'whole');
  const stopping = new AbortController();
  const events: string[] = [];
  for await (const path of watchFolders([folder], { ...OPTIONS, signal: stopping.signal })) {
    events.push(path);
    stopping.abort();
  }
  expect(events).toEqual([join(folder, 'one.wav')]);
  rmSync(folder, { recursive: true });
});

it('continues when a folder was unavailable for a while', async () => {
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
  const events: string[] = [];
  const paths = watchFolders([folder], { ...OPTIONS, signal: stopping.signal });
  for await (const path of paths) events.push(path);
  expect(events).toEqual([song]);
  rmSync(folder, { recursive: true });
});

it('warns once of each folder and file that cannot be read, and watches the others', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-watch-'));
  for (const name of ['lost+found', 'locked']) mkdirSync(join(folder, name));
  const locked = join(folder, 'locked', 'song.wav');
  writeFileSync(locked, 'whole');
  const song = join(folder, 'song.wav');
  writeFileSync(song, 'whole');
  const stopping = new AbortController();
  steps = [() => {}, () => {}, () => stopping.abort()];
  const events: string[] = [];
  const warn = (sentence: string) => void events.push(sentence);
  const paths = watchFolders([folder], { ...OPTIONS, warn, signal: stopping.signal });
  for await (const path of paths) events.push(path);
  expect(events).toEqual([
    `${join(folder, 'lost+found')} may not be read.`,
    `${locked} may not be read.`,
    song,
  ]);
  rmSync(folder, { recursive: true });
});
