import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../usage-error.ts';
import { checkAgainstFiles, readAnalyzeOptions } from './analyze-options.ts';

describe('readAnalyzeOptions', () => {
  it('reads the hints, numbers as numbers', () => {
    const args = ['--bpm-min', '90.5', '--bpm-max', '180', '--meter', '3', '--key', 'F# minor'];
    expect(readAnalyzeOptions(['song.mp3', ...args]).hints).toEqual({
      bpm: undefined,
      bpmMin: 90.5,
      bpmMax: 180,
      key: 'F# minor',
      timeSignature: 3,
    });
  });

  it('puts tagged copies into ./tagged without --out', () => {
    expect(readAnalyzeOptions(['song.mp3', '--write-tags']).outFolder).toBe(join(process.cwd(), 'tagged'));
    expect(readAnalyzeOptions(['song.mp3']).outFolder).toBeNull();
  });

  it('analyses one song per core at a time, four through the service, or as many as --parallel says', () => {
    expect(readAnalyzeOptions(['songs']).songsAtOnceMax).toBe(availableParallelism());
    expect(readAnalyzeOptions(['songs', '--remote']).songsAtOnceMax).toBe(4);
    expect(readAnalyzeOptions(['songs', '--remote', '--parallel', '64']).songsAtOnceMax).toBe(64);
  });

  it.each([
    [['--parallel', '0'], /--parallel is a whole number from 1 to 64/],
    [['--parallel', '65'], /--parallel is a whole number from 1 to 64/],
    [['--parallel', '1.5'], /--parallel is a whole number from 1 to 64/],
    [['--service', 'http://localhost:8080'], /goes with --remote/],
    [['--watch', '--parallel', '8'], /--parallel has no part in it/],
    [['--genre'], /--genre says what --write-tags writes/],
    [['--bpm', '0'], /--bpm wants a number above 0/],
    [['--meter', ''], /--meter wants a number above 0/],
    [['--csv', '-', '--format', 'jams'], /--csv - prints the table/],
  ])('%j is wrong', (args, sentence) => {
    const read = () => readAnalyzeOptions(['songs', ...args]);
    expect(read).toThrow(UsageError);
    expect(read).toThrow(sentence);
  });
});

describe('checkAgainstFiles', () => {
  it.each([
    [[], [], /name at least one audio file/],
    [['--report', 'song.html'], ['a.mp3', 'b.mp3'], /--report writes about one song/],
    [['--format', 'jams'], ['a.mp3', 'b.mp3'], /do not fit into one output/],
    [['--format', 'jams,lab-beats'], ['a.mp3'], /do not fit into one output/],
    [['--format', 'jams', '--json'], ['a.mp3'], /do not fit into one output/],
  ])('%j does not fit the files %j', (args, files, sentence) => {
    const options = readAnalyzeOptions(['songs', ...args]);
    const check = () => checkAgainstFiles(options, files);
    expect(check).toThrow(UsageError);
    expect(check).toThrow(sentence);
  });

  it('refuses to write tagged copies into the folder of a song, under whatever path', () => {
    const crate = mkdtempSync(join(tmpdir(), 'earshot-options-'));
    const links = mkdtempSync(join(tmpdir(), 'earshot-options-'));
    symlinkSync(crate, `${crate}-link`);
    writeFileSync(join(crate, 'song.mp3'), '');
    symlinkSync(join(crate, 'song.mp3'), join(links, 'song.mp3'));
    const check = (out: string, ...args: string[]) =>
      checkAgainstFiles(readAnalyzeOptions(['songs', '--out', out, ...args]), [join(links, 'song.mp3')]);
    for (const out of [crate, `${crate}/.`, `${crate}-link`]) {
      expect(() => check(out, '--write-tags')).toThrow(/which contains .*song\.mp3/);
      expect(() => check(out, '--json')).not.toThrow();
    }
    expect(() => check(join(crate, 'tagged'), '--write-tags')).not.toThrow();
    expect(() => check(tmpdir(), '--write-tags')).not.toThrow();
    for (const path of [`${crate}-link`, links, crate]) rmSync(path, { recursive: true });
  });

  it('explains that files below --out are skipped', () => {
    const options = readAnalyzeOptions(['songs', '--out', 'songs']);
    expect(() => checkAgainstFiles(options, [])).toThrow(/Files below --out are skipped/);
  });

  it('accepts several songs and formats with --out', () => {
    const options = readAnalyzeOptions(['songs', '--format', 'jams,lab-beats', '--out', 'made']);
    expect(() => checkAgainstFiles(options, ['a.mp3', 'b.mp3'])).not.toThrow();
  });
});
