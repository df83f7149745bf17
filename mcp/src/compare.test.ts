import { describe, expect, it } from 'vitest';
import type { FullResult } from './backend.ts';
import { compareResults } from './compare.ts';

const song = (
  bpm: number | null,
  camelot: string | null,
  loudnessLufs: number | null,
  energy: number | null = null,
) =>
  ({
    ...{ bpm, camelot, loudness_lufs: loudnessLufs, duration_seconds: 200, energy },
    ...{ danceability: null, valence: null, acousticness: null },
  }) as FullResult;

describe('compareResults', () => {
  it.each([
    [128, 126, 'same', 1.59, true],
    [140, 70, 'half', 0, true],
    [85, 172, 'double', -1.16, true],
    [108, 100, 'same', 8, true],
    [109, 100, 'different', 9, false],
    [88.8, 120, 'different', -26, false],
  ] as const)('%d and %d BPM: %s tempo, %d %%', (first, second, relation, changePercent, mixes) => {
    const { tempo } = compareResults(song(first, null, null), song(second, null, null));
    expect(tempo).toEqual({ bpm: [first, second], relation, change_percent: changePercent, mixes });
  });

  it.each([
    ['8A', '8A', true, 'same key'],
    ['8A', '8B', true, 'relative major and minor'],
    ['12A', '1A', true, 'a fifth apart'],
    ['8A', '10A', false, 'far'],
    ['8A', '9B', false, 'far'],
  ])('%s and %s mix: %s', (first, second, mixes, relation) => {
    const { key } = compareResults(song(null, first, null), song(null, second, null));
    expect(key).toEqual({ camelot: [first, second], mixes, relation });
  });

  it('tells the gain that makes the second as loud as the first, and what differs', () => {
    const { loudness, differences } = compareResults(song(null, null, -14, 0.5), song(null, null, -9, 0.8));
    expect(loudness?.gain_db_for_second).toBe(-5);
    expect(differences).toEqual({ energy: 0.3 });
  });

  it('says nothing where one of them has no answer', () => {
    expect(compareResults(song(null, null, null), song(120, '1A', -14))).toMatchObject({
      tempo: null,
      key: null,
      loudness: null,
    });
  });
});
