import { expect, it } from 'vitest';
import type { Result } from '../result.ts';
import { groupEvents, lossyOrigin } from './quality-words.ts';

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

it('tells events of one kind and second once, whatever the channel', () => {
  const clipping = (start_seconds: number, channel: number | null) => ({
    ...{ kind: 'clipping' as const, start_seconds, end_seconds: start_seconds + 0.1 },
    ...{ channel, severity: 1 },
  });
  const click = { ...clipping(1.4, null), kind: 'click' as const };
  expect(
    groupEvents([clipping(0.2, 0), clipping(0.2, 1), clipping(0.4, 0), clipping(1.2, 1), click]),
  ).toEqual([
    { words: '3 × clipping at 0:00', startSeconds: 0.2 },
    { words: 'clipping at 0:01', startSeconds: 1.2 },
    { words: 'click at 0:01', startSeconds: 1.4 },
  ]);
});
