import { describe, expect, it } from 'vitest';
import type { Result } from '../result.ts';
import { compareSongs } from './compare.ts';

const song = (values: Partial<Result>) =>
  ({
    bpm: 120,
    key_notation: 'Am',
    camelot: '8A',
    loudness_lufs: -14,
    true_peak_dbtp: -1,
    energy: 0.5,
    danceability: 0.5,
    duration_seconds: 60,
    ...values,
  }) as Result;

const differences = (first: Result, second: Result) =>
  Object.fromEntries(compareSongs(first, second).map(({ measure, difference }) => [measure, difference]));

describe('the comparison of two songs', () => {
  it('has the difference of each measure in its own unit', () => {
    const second = song({
      bpm: 125,
      camelot: '9A',
      key_notation: 'Em',
      loudness_lufs: -9.5,
      energy: 0.7,
      duration_seconds: 45,
    });
    expect(differences(song({}), second)).toEqual({
      // 120 / 125 = 0.96: the second played four per cent slower.
      Tempo: '+5.00 BPM; play the second −4.0 % to match',
      Key: 'they mix',
      Loudness: '+4.5 LU',
      'True peak': '±0.0 dB',
      Energy: '+20 points',
      Danceability: '±0 points',
      Length: '−15 s',
    });
  });

  it.each([
    // 120 / 2 = 60, and 60 / 62.5 = 0.96.
    [62.5, '−57.50 BPM; play the second −4.0 % to match at half time'],
    // 120 × 2 = 240, and 240 / 250 = 0.96.
    [250, '+130.00 BPM; play the second −4.0 % to match at double time'],
    // 120 / 90 is nearer to one than 60 / 90.
    [90, '−30.00 BPM; play the second +33.3 % to match'],
  ])('matches at half or double time where that is the smaller change: 120 and %d BPM', (bpm, text) => {
    expect(differences(song({}), song({ bpm })).Tempo).toBe(text);
  });

  it('has the difference of the rounded values, which are the ones shown', () => {
    // 120.00 and 125.01 BPM, −14.0 and −9.5 LUFS; the unrounded differences would be 5.00 BPM and 4.6 LU.
    const shown = differences(
      song({ bpm: 120.004, loudness_lufs: -14.04 }),
      song({ bpm: 125.006, loudness_lufs: -9.46 }),
    );
    expect([shown.Tempo, shown.Loudness]).toEqual(['+5.01 BPM; play the second −4.0 % to match', '+4.5 LU']);
  });

  it.each([
    ['8A', 'the same'],
    ['8B', 'they mix'],
    ['2A', 'they clash'],
  ])('says of the keys 8A and %s: %s', (camelot, text) => {
    expect(differences(song({}), song({ camelot })).Key).toBe(text);
  });

  it('formats values as the other pages do: keys by signature, a minus sign, shares in per cent', () => {
    const [, key, loudness, , energy] = compareSongs(song({ key_notation: 'Abm', camelot: '1A' }), song({}));
    expect([key?.first, loudness?.first, energy?.first]).toEqual(['G#m (1A)', '−14.0 LUFS', '50 %']);
  });

  it('has dashes where one song lacks the value', () => {
    const lacking = song({ bpm: null, key_notation: null, camelot: null, loudness_lufs: null });
    const [tempo, key, loudness] = compareSongs(song({}), lacking);
    expect([tempo, key, loudness].map((row) => [row?.second, row?.difference])).toEqual([
      ['–', '–'],
      ['–', '–'],
      ['–', '–'],
    ]);
  });
});
