import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';

export const SAMPLE_SONG = 'examples/sample-song/two-doors-down.mp3';
/** Of the sample song: 90.65 s in examples/sample-song/truth.json. */
export const SONG_SECONDS = 90.7;
/** The sample song's tags and info frame lie within this many bytes. */
const INFO_BYTES_MAX = 8192;

/** Writes the sample song `count` times in a row: an MP3 is a plain sequence of frames, so joining files makes a longer one. */
export function repeatSong(path: string, count: number): string {
  const song = readFileSync(SAMPLE_SONG);
  writeFileSync(path, song);
  for (let copy = 1; copy < count; copy++) appendFileSync(path, song);
  return path;
}

/**
 * Writes an MP3 of that length, cut or repeated from the sample song, whose constant bit rate makes bytes proportional to time. The
 * info frame, which states the original length, is made unreadable; a frame cut at the end is not decoded.
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
