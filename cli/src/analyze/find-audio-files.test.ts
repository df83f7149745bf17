import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findAudioFiles, patternToRegExp } from './find-audio-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'earshot-find-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, 'a', 'b'), { recursive: true });
mkdirSync(join(folder, 'out'));
for (const name of [
  'one.mp3',
  'two.FLAC',
  'notes.txt',
  'a/three.mp3',
  'a/b/four.ogg',
  'out/one.mp3',
  '._one.mp3',
]) {
  writeFileSync(join(folder, name), '');
}
const found = (inputs: string[], except: string | null = null) =>
  findAudioFiles(
    inputs.map((input) => join(folder, input)),
    except && join(folder, except),
  ).map((path) => relative(folder, path));

describe('findAudioFiles', () => {
  it('takes folders apart, whatever case an ending is in, and names no file twice', () => {
    expect(found(['.', 'one.mp3'], 'out')).toEqual(['a/b/four.ogg', 'a/three.mp3', 'one.mp3', 'two.FLAC']);
  });
  it('takes a file that is named, whatever it is called', () => {
    expect(found(['notes.txt'])).toEqual(['notes.txt']);
  });
  it('leaves out what macOS writes beside the files of a stick, unless it is named', () => {
    expect(found(['*.mp3'])).toEqual(['one.mp3']);
    expect(found(['.'])).not.toContain('._one.mp3');
    expect(found(['._one.mp3'])).toEqual(['._one.mp3']);
  });
  it('expands patterns', () => {
    expect(found(['*.mp3'])).toEqual(['one.mp3']);
    expect(found(['**/*.mp3'], 'out')).toEqual(['a/three.mp3', 'one.mp3']);
    expect(found(['a/**/*.{ogg,mp3}'])).toEqual(['a/b/four.ogg', 'a/three.mp3']);
  });
  it('says what is not there', () => {
    expect(() => found(['nowhere'])).toThrow(/there is no file or folder/);
    expect(() => found(['*.wav'])).toThrow(/no file fits the pattern/);
  });
});

describe('patternToRegExp', () => {
  it.each([
    ['*.mp3', 'song.mp3', true],
    ['*.mp3', 'folder/song.mp3', false],
    ['*.mp3', 'songxmp3', false],
    ['**/*.mp3', 'song.mp3', true],
    ['**/*.mp3', 'a/b/song.mp3', true],
    ['a/**', 'a/b/c', true],
    ['take-?.wav', 'take-1.wav', true],
    ['take-?.wav', 'take-12.wav', false],
    ['take-[12].wav', 'take-2.wav', true],
    ['take-[!12].wav', 'take-2.wav', false],
    ['*.{mp3,fl*}', 'x.flac', true],
    ['(live) *.mp3', '(live) song.mp3', true],
  ])('%s and %s: %s', (pattern, path, fits) => {
    expect(patternToRegExp(pattern).test(path)).toBe(fits);
  });
});
