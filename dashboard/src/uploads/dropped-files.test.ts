import { expect, it } from 'vitest';
import { isCompanionFile, readDroppedFiles } from './dropped-files.ts';

it.each([
  ...['.DS_Store', '._song.mp3', 'Thumbs.db', 'desktop.ini', 'cover.JPG', 'booklet.pdf'],
  ...['album.cue', 'rip.log', 'info.nfo', 'set.m3u8', 'song.mp3.asd'],
])('%s is not uploaded with a folder', (name) => {
  expect(isCompanionFile(name)).toBe(true);
});

it.each(['song.mp3', 'song', 'Vol. 1', 'jpg.flac', 'demo.dat'])('%s may be a song', (name) => {
  expect(isCompanionFile(name)).toBe(false);
});

const fileEntry = (name: string) =>
  ({
    isFile: true,
    file: (resolve: (file: File) => void) => resolve(new File([], name)),
  }) as FileSystemFileEntry;
const unreadable = {
  isFile: true,
  file: (_, reject) => reject?.(new DOMException('gone')),
} as FileSystemFileEntry;
/** Hands out its entries as Chromium does, in batches of a hundred. */
const folderEntry = (...entries: FileSystemEntry[]) =>
  ({
    isDirectory: true,
    createReader: () => ({
      readEntries: (resolve: (batch: FileSystemEntry[]) => void) => resolve(entries.splice(0, 100)),
    }),
  }) as FileSystemDirectoryEntry;

it('finds all songs in nested folders, without their covers', async () => {
  const songs = Array.from({ length: 120 }, (_, index) => fileEntry(`${index}.mp3`));
  const folder = folderEntry(...songs, fileEntry('cover.jpg'), folderEntry(fileEntry('bonus.mp3')));
  const names = (await readDroppedFiles([folder, fileEntry('single.mp3')], [])).map(({ name }) => name);
  expect(names).toHaveLength(122);
  expect(names).toEqual(expect.arrayContaining(['0.mp3', '119.mp3', 'bonus.mp3', 'single.mp3']));
});

it('skips unreadable entries of a folder', async () => {
  const found = await readDroppedFiles([folderEntry(unreadable, fileEntry('song.mp3')), null], []);
  expect(found.map(({ name }) => name)).toEqual(['song.mp3']);
});

it('returns every dropped file when there is no folder among them', async () => {
  const files = [new File([], 'cover.jpg')];
  expect(await readDroppedFiles([fileEntry('cover.jpg')], files)).toBe(files);
});
