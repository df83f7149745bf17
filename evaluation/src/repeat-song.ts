import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';

export const SAMPLE_SONG = 'examples/sample-song/two-doors-down.mp3';
/** Of the sample song. */
export const SONG_SECONDS = 90.7;

/** MP3 frames stand for themselves: the same song several times is a longer MP3. */
export function repeatSong(path: string, count: number): string {
  const song = readFileSync(SAMPLE_SONG);
  writeFileSync(path, song);
  for (let copy = 1; copy < count; copy++) appendFileSync(path, song);
  return path;
}

/**
 * An MP3 that is so long: the song has one bit rate, so its bytes are its time. What its first packet says of its length is wiped, and a frame
 * that is cut at the end is not decoded.
 */
export function songOfSeconds(path: string, seconds: number): string {
  const song = readFileSync(SAMPLE_SONG);
  const info = song.subarray(0, INFO_BYTES_MAX);
  for (const name of ['Xing', 'Info']) {
    const at = info.indexOf(name);
    if (at >= 0) info.fill(0, at, at + name.length);
  }
  const copies = Array.from({ length: Math.ceil(seconds / SONG_SECONDS) }, () => song);
  writeFileSync(path, Buffer.concat(copies).subarray(0, Math.ceil((song.length * seconds) / SONG_SECONDS)));
  return path;
}

/** Tags and the packet that tells of the song lie within. */
const INFO_BYTES_MAX = 8192;
