import { expect, it } from 'vitest';
import type { Result } from '../result.ts';
import { lossyOrigin } from './quality-words.ts';

const song = (codec: string | null, verdict: string) =>
  ({ file: { codec }, quality: { lossy_transcode: { verdict } } }) as unknown as Result;

it.each(['MP3', 'aac', 'ac3', 'dts', 'Vorbis', 'opus', 'mpeg audio layer 2'])(
  'an encoder leaves traces in every %s: no finding',
  (codec) => {
    expect(lossyOrigin(song(codec, 'likely'))).toBeNull();
  },
);

it.each(['flac', 'pcm_s16le', 'alac'])('a %s that was lossy once is one', (codec) => {
  expect(lossyOrigin(song(codec, 'likely'))).toBe('likely');
  expect(lossyOrigin(song(codec, 'unknown'))).toBeNull();
});

it('says nothing of a file it does not know', () => {
  expect(lossyOrigin(song(null, 'likely'))).toBeNull();
});
