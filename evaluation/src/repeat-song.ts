import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';

const SAMPLE_SONG = 'examples/sample-song/two-doors-down.mp3';
/** Of the sample song. */
export const SONG_SECONDS = 90.7;

/** MP3 frames stand for themselves: the same song several times is a longer MP3. */
export function repeatSong(path: string, times: number): string {
  const song = readFileSync(SAMPLE_SONG);
  writeFileSync(path, song);
  for (let copy = 1; copy < times; copy++) appendFileSync(path, song);
  return path;
}

/** An MP3 that is so long: the song has one bit rate, so its bytes are its time. A frame that is cut at the end is not decoded. */
export function songOfSeconds(path: string, seconds: number): string {
  repeatSong(path, Math.ceil(seconds / SONG_SECONDS));
  truncateSync(path, Math.ceil((readFileSync(SAMPLE_SONG).length * seconds) / SONG_SECONDS));
  return path;
}
