import { expect, it } from 'vitest';
import { isBesideSongs } from './use-drop-anywhere.ts';

it.each([
  ...['.DS_Store', '._song.mp3', 'Thumbs.db', 'desktop.ini', 'cover.JPG', 'booklet.pdf'],
  ...['album.cue', 'rip.log', 'info.nfo', 'set.m3u8', 'song.mp3.asd'],
])('%s lies in a folder of songs and is none', (name) => {
  expect(isBesideSongs(name)).toBe(true);
});

it.each(['song.mp3', 'song', 'Vol. 1', 'jpg.flac', 'demo.dat'])('%s may be a song', (name) => {
  expect(isBesideSongs(name)).toBe(false);
});
