import type { SongTags } from './song-tags.ts';

/** The tags that tests write into files. */
export const TEST_TAGS: SongTags = {
  bpm: 127.98,
  key: 'F#m',
  camelot: '11A',
  replayGain: { gainDb: -8.5, peakRatio: 1.0471 },
  genre: 'Hip-Hop',
};
