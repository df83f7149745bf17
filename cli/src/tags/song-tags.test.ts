import type { ResultDocument } from '@earshot/exports';
import { expect, it } from 'vitest';
import { namedFields, songTagsOf } from './song-tags.ts';

const songOf = (values: object) =>
  ({
    bpm: 127.984,
    key_notation: 'F#m',
    camelot: '11A',
    loudness: { replay_gain: { track_gain_db: -8.5, track_peak: 0.98765432 }, true_peak_dbtp: 6 },
    genre_suggestions: ['hip-hop', 'house'],
    ...values,
  }) as unknown as ResultDocument;

it('has the ReplayGain of the result, whose peak is that of the samples', () => {
  const tags = songTagsOf(songOf({}), { genre: false });
  expect(tags).toMatchObject({ bpm: 127.984, key: 'F#m', camelot: '11A', genre: null });
  expect(namedFields(tags)).toEqual([
    ['fBPM', '127.98'],
    ['CAMELOT', '11A'],
    ['REPLAYGAIN_TRACK_GAIN', '-8.50 dB'],
    ['REPLAYGAIN_TRACK_PEAK', '0.987654'],
  ]);
});

it.each([
  ['singer-songwriter', 'Singer-Songwriter'],
  ['hard rock', 'Hard Rock'],
  ['R&B', 'R&B'],
])('writes the first genre %s as %s', (genre, title) => {
  const tags = songTagsOf(songOf({ genre_suggestions: [genre, 'techno'] }), { genre: true });
  expect(tags.genre).toBe(title);
});

it('has no fields for what is unknown', () => {
  const unknown = { bpm: null, key_notation: null, camelot: null, genre_suggestions: [] };
  const silence = { replay_gain: { track_gain_db: null, track_peak: 0 } };
  for (const loudness of [null, silence]) {
    const tags = songTagsOf(songOf({ ...unknown, loudness }), { genre: true });
    expect(tags).toEqual({ bpm: null, key: null, camelot: null, genre: null, replayGain: null });
    expect(namedFields(tags)).toEqual([]);
  }
});
