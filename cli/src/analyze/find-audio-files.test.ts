import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeUnreadable } from '../test-unreadable.ts';
import { findAudioFiles, patternToRegExp } from './find-audio-files.ts';

makeUnreadable('lost+found');

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
const found = (inputs: string[], except: string | null = null, warn: (text: string) => void = () => {}) =>
  findAudioFiles(
    inputs.map((input) => join(folder, input)),
    { exceptFolder: except && join(folder, except), warn },
  ).map((path) => relative(folder, path));
function makeFolder(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

describe('findAudioFiles', () => {
  it('searches folders, ignores the case of extensions, and lists no file twice', () => {
    expect(found(['.', 'one.mp3'], 'out')).toEqual(['a/b/four.ogg', 'a/three.mp3', 'one.mp3', 'two.FLAC']);
  });
  it('accepts a file that is named itself, whatever its extension', () => {
    expect(found(['notes.txt'])).toEqual(['notes.txt']);
  });
  it('skips AppleDouble files of macOS, unless they are named', () => {
    expect(found(['*.mp3'])).toEqual(['one.mp3']);
    expect(found(['.'])).not.toContain('._one.mp3');
    expect(found(['._one.mp3'])).toEqual(['._one.mp3']);
  });
  it('expands patterns', () => {
    expect(found(['*.mp3'])).toEqual(['one.mp3']);
    expect(found(['**/*.mp3'], 'out')).toEqual(['a/three.mp3', 'one.mp3']);
    expect(found(['a/**/*.{ogg,mp3}'])).toEqual(['a/b/four.ogg', 'a/three.mp3']);
  });
  it('skips files below its own output, but no folder of a similar name, and no file that is named itself', () => {
    makeFolder('outtakes');
    writeFileSync(join(folder, 'outtakes', 'one.mp3'), '');
    expect(found(['out*/*.mp3', 'out'], 'out')).toEqual(['outtakes/one.mp3']);
    expect(found(['out/one.mp3'], 'out')).toEqual(['out/one.mp3']);
  });
  it('skips its own output under another path', () => {
    mkdirSync(join(makeFolder('real'), 'made'));
    for (const name of ['song.mp3', 'made/song.mp3']) writeFileSync(join(folder, 'real', name), '');
    symlinkSync(join(folder, 'real'), join(folder, 'alias'));
    expect(found(['alias'], 'real/made')).toEqual(['alias/song.mp3']);
    expect(found(['alias/**/*.mp3'], 'real/made')).toEqual(['alias/song.mp3']);
    expect(found(['alias/made'], 'real')).toEqual([]);
    expect(found(['alias'], 'not/made/yet')).toEqual(['alias/made/song.mp3', 'alias/song.mp3']);
  });
  it('reports what does not exist', () => {
    expect(() => found(['nowhere'])).toThrow(/there is no file or folder/);
    expect(() => found(['*.wav'])).toThrow(/no file fits the pattern/);
  });
  it('reports a missing file whose name is not a valid pattern', () => {
    expect(() => found(['Song [Remix-Edit].mp3'])).toThrow(/no file fits the pattern/);
  });
  it('warns of a folder that cannot be read, and lists the other songs', () => {
    const disk = makeFolder('disk');
    mkdirSync(join(disk, 'lost+found'));
    writeFileSync(join(disk, 'song.mp3'), '');
    const warnings: string[] = [];
    expect(found(['disk'], null, (text) => warnings.push(text))).toEqual(['disk/song.mp3']);
    expect(warnings).toEqual([`${join(disk, 'lost+found')} may not be read.`]);
    expect(() => found(['disk/lost+found'])).toThrow('EACCES');
  });
  it('follows links to files, but not links to folders', () => {
    const links = makeFolder('links');
    symlinkSync(join(folder, 'one.mp3'), join(links, 'linked.mp3'));
    symlinkSync(join(folder, 'nowhere.mp3'), join(links, 'broken.mp3'));
    symlinkSync('itself.mp3', join(links, 'itself.mp3'));
    symlinkSync(links, join(links, 'loop.mp3'));
    symlinkSync(join(folder, 'a'), join(links, 'elsewhere'));
    expect(found(['links'])).toEqual(['links/linked.mp3']);
    expect(found(['links/**/*.mp3'])).toEqual(['links/linked.mp3']);
    // Unless the link itself is named.
    expect(found(['links/elsewhere'])).toEqual(['links/elsewhere/b/four.ogg', 'links/elsewhere/three.mp3']);
  });
  it.runIf(process.platform === 'linux')('warns of names that are not UTF-8', () => {
    const old = makeFolder('old');
    const cafe = Buffer.concat([Buffer.from(`${old}/caf`), Buffer.from([0xe9])]);
    writeFileSync(Buffer.concat([cafe, Buffer.from('.mp3')]), '');
    mkdirSync(cafe);
    writeFileSync(join(old, 'plain.mp3'), '');
    const warnings: string[] = [];
    expect(found(['old'], null, (text) => warnings.push(text))).toEqual(['old/plain.mp3']);
    expect(warnings.sort()).toEqual([
      `${old}/caf\ufffd cannot be opened: its name is not UTF-8.`,
      `${old}/caf\ufffd.mp3 cannot be opened: its name is not UTF-8.`,
    ]);
  });
});

describe('patternToRegExp', () => {
  it.each([
    ['*.mp3', 'song.mp3', true],
    ['*.mp3', 'folder/song.mp3', false],
    ['*.mp3', 'songxmp3', false],
    ['**.mp3', 'a/line\nbreak.mp3', true],
    ['**/*.mp3', 'song.mp3', true],
    ['**/*.mp3', 'a/b/song.mp3', true],
    ['a/**', 'a/b/c', true],
    ['take-?.wav', 'take-1.wav', true],
    ['take-?.wav', 'take-12.wav', false],
    ['take-?.wav', 'take-🎵.wav', true],
    ['take-[🎶🎵].wav', 'take-🎵.wav', true],
    ['take-[12].wav', 'take-2.wav', true],
    ['take-[!12].wav', 'take-2.wav', false],
    ['a[!b]c.mp3', 'a/c.mp3', false],
    ['[\\d].mp3', '1.mp3', false],
    ['[\\d].mp3', '\\.mp3', true],
    ['[Remix-Edit].mp3', 'R.mp3', false],
    ['*.{mp3,fl*}', 'x.flac', true],
    ['(live) *.mp3', '(live) song.mp3', true],
  ])('%s and %s: %s', (pattern, path, fits) => {
    expect(patternToRegExp(pattern).test(path)).toBe(fits);
  });
});
