import type { ResultDocument } from '@earshot/exports';
import { expect, it } from 'vitest';
import { namedFields, songTagsOf } from './song-tags.ts';

const songOf = (values: object) =>
  ({
    bpm: 127.984,
    key_notation: 'F#m',
    camelot: '11A',
    loudness_lufs: -9.5,
    true_peak_dbtp: 6,
    genre_suggestions: ['drum-and-bass', 'house'],
    ...values,
  }) as unknown as ResultDocument;

it('has ReplayGain relative to -18 LUFS, with the peak as a ratio', () => {
  const tags = songTagsOf(songOf({}), { genre: false });
  expect(tags).toMatchObject({ bpm: 127.984, key: 'F#m', camelot: '11A', genre: null });
  // 6 dB is a ratio of 10^(6/20).
  expect(namedFields(tags)).toEqual([
    ['fBPM', '127.98'],
    ['CAMELOT', '11A'],
    ['REPLAYGAIN_TRACK_GAIN', '-8.50 dB'],
    ['REPLAYGAIN_TRACK_PEAK', '1.995262'],
  ]);
});

it.each([
  ['drum-and-bass', 'Drum-And-Bass'],
  ['deep house', 'Deep House'],
  ['r&b', 'R&b'],
])('writes the first genre %s as %s', (genre, title) => {
  const tags = songTagsOf(songOf({ genre_suggestions: [genre, 'techno'] }), { genre: true });
  expect(tags.genre).toBe(title);
});

it('has no fields for what is unknown, and no gain without a peak', () => {
  const unknown = { bpm: null, key_notation: null, camelot: null, genre_suggestions: [] };
  for (const loudness of [{ loudness_lufs: null }, { true_peak_dbtp: null }]) {
    const tags = songTagsOf(songOf({ ...unknown, ...loudness }), { genre: true });
    expect(tags).toEqual({ bpm: null, key: null, camelot: null, genre: null, replayGain: null });
    expect(namedFields(tags)).toEqual([]);
  }
});
