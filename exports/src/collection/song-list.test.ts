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
])('joins the folder %s with a file name', (folder, local, url) => {
  const song = { ...SONG, fileName: 'b.mp3' };
  expect([localPathOf(song, folder), urlPathOf(song, folder)]).toEqual([local, url]);
});

it.each(['a/b.mp3', '..\\b.mp3', '/b.mp3'])('drops the folders in the file name %s', (fileName) => {
  expect(localPathOf({ ...SONG, fileName }, '/m')).toBe('/m/b.mp3');
});

it.each([null, 'a/'])('uses the id of a song with the file name %s', (fileName) => {
  expect(localPathOf({ ...SONG, analysisId: 'job_1', fileName }, '/m')).toBe('/m/job_1');
});
