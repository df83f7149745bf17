import { expect, it } from 'vitest';
import { isCompanionFile, readEntries } from './use-drop-anywhere.ts';

it.each([
  ...['.DS_Store', '._song.mp3', 'Thumbs.db', 'desktop.ini', 'cover.JPG', 'booklet.pdf'],
  ...['album.cue', 'rip.log', 'info.nfo', 'set.m3u8', 'song.mp3.asd'],
])('%s lies in a folder of songs and is none', (name) => {
  expect(isCompanionFile(name)).toBe(true);
});

it.each(['song.mp3', 'song', 'Vol. 1', 'jpg.flac', 'demo.dat'])('%s may be a song', (name) => {
  expect(isCompanionFile(name)).toBe(false);
});

/** As a browser has them: entries of a folder come a hundred at a time. */
const fileEntry = (name: string) =>
  ({ isFile: true, file: (take: (file: File) => void) => take(new File([], name)) }) as FileSystemFileEntry;
const unreadable = {
  isFile: true,
  file: (_, fail) => fail?.(new DOMException('gone')),
} as FileSystemFileEntry;
const folderEntry = (...entries: FileSystemEntry[]) =>
  ({
    isDirectory: true,
    createReader: () => ({
      readEntries: (take: (some: FileSystemEntry[]) => void) => take(entries.splice(0, 100)),
    }),
  }) as FileSystemDirectoryEntry;

it('finds all songs of folders within folders, without their covers', async () => {
  const songs = Array.from({ length: 120 }, (_, index) => fileEntry(`${index}.mp3`));
  const folder = folderEntry(...songs, fileEntry('cover.jpg'), folderEntry(fileEntry('bonus.mp3')));
  const names = (await readEntries([folder, fileEntry('single.mp3')], [])).map(({ name }) => name);
  expect(names).toHaveLength(122);
  expect(names).toEqual(expect.arrayContaining(['0.mp3', '119.mp3', 'bonus.mp3', 'single.mp3']));
});

it('keeps what can be read of a folder', async () => {
  const found = await readEntries([folderEntry(unreadable, fileEntry('song.mp3')), null], []);
  expect(found.map(({ name }) => name)).toEqual(['song.mp3']);
});

it('takes files as they are where there is no folder among them', async () => {
  const files = [new File([], 'cover.jpg')];
  expect(await readEntries([fileEntry('cover.jpg')], files)).toBe(files);
});
