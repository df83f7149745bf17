import type { JobData } from '@earshot/sdk';
import { expect, it } from 'vitest';
import { formatSong } from './song-line.ts';

/** A job with the fields that the line shows. */
const songOf = (headline: object | null, file_name: string | null = 'song.mp3') =>
  ({ id: 'job_1', status: 'completed', file_name, headline }) as unknown as JobData;

it.each([
  [
    'the headline values',
    { title: 'Blue Hour', artist: 'Ada', bpm: 124.04, camelot: '8A', key_notation: 'Am', energy: 0.5 },
    'job_1  124.0 BPM  8A Am  energy 0.50  Ada – Blue Hour',
  ],
  [
    'a dash for unknown values',
    { title: 'Blue Hour', artist: null, bpm: null, camelot: null, key_notation: null, energy: null },
    'job_1  –  –  –  Blue Hour',
  ],
  [
    'a replacement for control characters',
    {
      title: '\u001b]0;mine\u0007',
      artist: 'A\nb',
      bpm: null,
      camelot: null,
      key_notation: null,
      energy: null,
    },
    'job_1  –  –  –  A\ufffdb – \ufffd]0;mine\ufffd',
  ],
  ['the file name without a headline', null, 'job_1  completed  song.mp3'],
])('shows %s', (_, headline, line) => {
  expect(formatSong(songOf(headline))).toBe(line);
});

it('shows nothing in place of a name that is unknown', () => {
  expect(formatSong(songOf(null, null))).toBe('job_1  completed');
  const unknown = { title: null, artist: null, bpm: null, camelot: null, key_notation: null, energy: null };
  expect(formatSong(songOf(unknown))).toBe('job_1  –  –  –');
});
