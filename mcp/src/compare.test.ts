import { describe, expect, it } from 'vitest';
import { compareResults } from './compare.ts';
import { resultWith } from './test-result.ts';

const song = (
  bpm: number | null,
  camelot: string | null,
  loudnessLufs: number | null,
  energy: number | null = null,
) => resultWith({ bpm, camelot, loudness_lufs: loudnessLufs, energy });

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
    ['9A', '8A', true, 'a fifth apart'],
    ['8A', '10A', false, 'far'],
    ['8A', '9B', false, 'far'],
  ])('%s and %s mix: %s', (first, second, mixes, relation) => {
    const { key } = compareResults(song(null, first, null), song(null, second, null));
    expect(key).toEqual({ camelot: [first, second], mixes, relation });
  });

  it('gives the gain that makes the second as loud as the first, and the differences of the second minus the first', () => {
    const { loudness, differences } = compareResults(song(null, null, -14, 0.5), song(null, null, -9, 0.8));
    expect(loudness).toEqual({ lufs: [-14, -9], gain_db_for_second: -5 });
    expect(differences).toEqual({ energy: 0.3 });
  });

  it('is null where one of them has no value', () => {
    expect(compareResults(song(null, null, null), song(120, '1A', -14))).toMatchObject({
      tempo: null,
      key: null,
      loudness: null,
    });
  });
});
