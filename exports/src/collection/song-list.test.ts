import { expect, it } from 'vitest';
import { SONG } from '../test-song.ts';
import { localPathOf, urlPathOf } from './song-list.ts';

it.each([
  ['/Users/ada/Music/', '/Users/ada/Music/b.mp3', '/Users/ada/Music/b.mp3'],
  ['C:\\Music', 'C:/Music/b.mp3', '/C:/Music/b.mp3'],
  ['\\\\nas\\music', '//nas/music/b.mp3', '//nas/music/b.mp3'],
  ['/', '/b.mp3', '/b.mp3'],
  ['Friday', 'Friday/b.mp3', '/Friday/b.mp3'],
  ['', 'b.mp3', '/b.mp3'],
  [null, 'b.mp3', '/b.mp3'],
])('a song in %s', (folder, local, url) => {
  const song = { ...SONG, fileName: 'b.mp3' };
  expect([localPathOf(song, folder), urlPathOf(song, folder)]).toEqual([local, url]);
});

it.each(['a/b.mp3', '..\\b.mp3', '/b.mp3'])('a name is never a path: %s', (fileName) => {
  expect(localPathOf({ ...SONG, fileName }, '/m')).toBe('/m/b.mp3');
});

it('a song without a name is called by its id', () => {
  expect(localPathOf({ ...SONG, analysisId: 'job_1', fileName: null }, '/m')).toBe('/m/job_1');
});
