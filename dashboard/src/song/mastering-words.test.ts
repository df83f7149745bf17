import { expect, it } from 'vitest';
import type { Result } from '../result.ts';
import { describeGain, groupEvents, lossyOrigin } from './mastering-words.ts';

const song = (codec: string | null, verdict: string) =>
  ({ file: { codec }, quality: { lossy_transcode: { verdict } } }) as unknown as Result;

// Every codec name that decode/src gives is in one of the two lists.
it.each([
  ...['MP1', 'MP2', 'MP3', 'AAC', 'AC-3', 'DTS', 'WMA', 'Vorbis', 'Opus'],
  ...['MS ADPCM', 'IMA ADPCM', 'A-law', 'mu-law'],
])('encoder traces in a lossy file (%s) are not reported', (codec) => {
  expect(lossyOrigin(song(codec, 'likely'))).toBeNull();
});

it.each(['PCM', 'FLAC', 'ALAC', 'WavPack', 'TTA'])(
  'encoder traces in a lossless file (%s) are reported, an unknown verdict is not',
  (codec) => {
    expect(lossyOrigin(song(codec, 'likely'))).toBe('likely');
    expect(lossyOrigin(song(codec, 'unknown'))).toBeNull();
  },
);

it('reports nothing for an unknown codec', () => {
  expect(lossyOrigin(song(null, 'likely'))).toBeNull();
});

it('merges events of one kind with the same displayed time, over all channels', () => {
  const clipping = (start_seconds: number, channel: number | null) => ({
    ...{ kind: 'clipping' as const, start_seconds, end_seconds: start_seconds + 0.1 },
    ...{ channel, severity: 1 },
  });
  const click = { ...clipping(1.4, null), kind: 'click' as const };
  expect(
    groupEvents([clipping(0.2, 0), clipping(0.2, 1), clipping(0.4, 0), clipping(0.6, 1), click]),
  ).toEqual([
    { label: '3 × clipping at 0:00', startSeconds: 0.2 },
    // Times are displayed to the nearest second.
    { label: 'clipping at 0:01', startSeconds: 0.6 },
    { label: 'click at 0:01', startSeconds: 1.4 },
  ]);
});

it.each([
  ['spotify', -4.2, false, 'turned down'],
  ['spotify', 2, false, 'turned up'],
  // Shown as +0.1 dB.
  ['spotify', 0.06, false, 'turned up'],
  ['spotify', 1.1, true, 'held by the peak'],
  ['youtube', 0, true, 'never turned up'],
  // Shown as ±0.0 dB.
  ['spotify', 0.04, false, 'left as it is'],
  ['spotify', -0.04, false, 'left as it is'],
])('%s, gain %d dB, limited %s: %s', (platform, gainDb, limited, text) => {
  expect(describeGain(platform, gainDb, limited)).toBe(text);
});
