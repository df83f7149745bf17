import { describe, expect, it } from 'vitest';
import { SONG } from '../test-song.ts';
import { describeResult } from './sentences.ts';

const { document: song } = SONG;
const describeWith = (fields: Partial<typeof song>) => describeResult({ ...song, ...fields });

it('describes tempo, key and form', () => {
  expect(describeResult(song)).toEqual([
    'The tempo is 120.0 BPM in 4/4.',
    'The key is probably A minor (8A on the Camelot wheel). C major is the next best guess.',
    'The form reads AB, 2 sections in all.',
  ]);
});

describe('the tempo', () => {
  it.each([
    [0.8, 'is 120.0'],
    [0.79, 'is probably 120.0'],
    [0.55, 'is probably 120.0'],
    [0.54, 'is perhaps 120.0'],
  ])('with a confidence of %d %s', (bpm_confidence, words) => {
    const rhythm = { ...song.rhythm!, alternatives: [] };
    expect(describeWith({ bpm_confidence, rhythm })[0]).toBe(`The tempo ${words} BPM in 4/4.`);
  });

  it.each([
    [0.91, ', steady as a machine'],
    [0.9, ''],
    [0.5, ''],
    [0.49, ', and it breathes'],
  ])('with a stability of %d reads "%s"', (stability, words) => {
    const rhythm = { ...song.rhythm!, stability };
    expect(describeWith({ rhythm })[0]).toBe(`The tempo is 120.0 BPM in 4/4${words}.`);
  });

  it('has another possible one if it is unsure, and never the same one', () => {
    const alternatives = [
      { bpm: 120, weight: 0.6 },
      { bpm: 60, weight: 0.4 },
    ];
    const describeAmong = (count: number) =>
      describeWith({
        bpm_confidence: 0.3,
        rhythm: { ...song.rhythm!, alternatives: alternatives.slice(0, count) },
      })[0];
    expect(describeAmong(2)).toBe('The tempo is perhaps 120.0 BPM in 4/4. It could also be felt at 60.0.');
    expect(describeAmong(1)).toBe('The tempo is perhaps 120.0 BPM in 4/4.');
    // The same tempo is up to 4 % away, which is 124.8.
    alternatives[1]!.bpm = 124.7;
    expect(describeAmong(2)).toBe('The tempo is perhaps 120.0 BPM in 4/4.');
    alternatives[1]!.bpm = 124.9;
    expect(describeAmong(2)).toContain('It could also be felt at 124.9.');
  });
});

it.each([
  [8, ' It is tuned 8 cents above 440 Hz.'],
  [-8, ' It is tuned 8 cents below 440 Hz.'],
  [7.9, ''],
])('a tuning of %d cents reads "%s"', (tuning_cents, words) => {
  expect(describeWith({ key_confidence: 0.8, tonal: { ...song.tonal!, tuning_cents } })[1]).toBe(
    `The key is A minor (8A on the Camelot wheel).${words}`,
  );
});

it.each([
  ['too_short', 'the recording is too short to tell'],
  ['no_pitched_content', 'there is nothing pitched enough to have a key'],
  ['no_model', 'no model'],
] as const)('a tempo and a key that are missing for the reason %s', (reason, words) => {
  const missing = { bpm: null, key: null, unavailable: { 'rhythm.bpm': reason, 'tonal.key': reason } };
  expect(describeWith(missing).slice(0, 2)).toEqual([
    `No tempo is given: ${words}.`,
    `No key is given: ${words}.`,
  ]);
});

it('says nothing about a tempo and a key that were not requested', () => {
  const unavailable = { rhythm: 'not_requested', tonal: 'not_requested' } as const;
  expect(describeWith({ bpm: null, key: null, structure: null, unavailable })).toEqual([]);
});

describe('the form', () => {
  const formOf = (sectionCount: number, label: 'verse' | 'chorus' = 'verse') => {
    const [section] = song.structure!.sections;
    const sections = new Array(sectionCount).fill({ ...section!, label });
    return describeWith({ structure: { ...song.structure!, sections } })[2];
  };

  it('of up to 32 sections is spelled out', () => {
    expect(formOf(32)).toBe(`The form reads ${'A'.repeat(32)}, 32 sections in all.`);
    expect(formOf(33)).toBe('There are 33 sections.');
    expect(formOf(1)).toBeUndefined();
  });

  it('has the time of the first chorus', () => {
    // 0.75 s to the second.
    expect(formOf(2, 'chorus')).toBe(
      'The form reads AA, 2 sections in all. The first chorus seems to begin at 0:01.',
    );
  });
});

describe('the loudness', () => {
  const measured = (gain_db: number, true_peak_dbtp: number) => {
    const platforms = [
      { platform: 'youtube', gain_db: -9 },
      { platform: 'spotify', gain_db },
    ];
    const loudness = { integrated_lufs: -9.04, true_peak_dbtp, platforms };
    return describeWith({ loudness: loudness as unknown as typeof song.loudness })[3];
  };

  it.each([
    [-0.5, 'turn it down by 0.5 dB'],
    [3, 'turn it up by 3.0 dB'],
    [-0.49, 'play it as it is'],
  ])('with a gain of %d dB on Spotify, which will %s', (gainDb, words) => {
    expect(measured(gainDb, -1)).toBe(`It measures −9.0 LUFS; Spotify will ${words}.`);
  });

  it('has the true peak if it is above −1 dBTP', () => {
    expect(measured(0, 0.24)).toBe(
      'It measures −9.0 LUFS; Spotify will play it as it is. Its true peak of 0.2 dBTP is above the −1 that lossy encoding needs.',
    );
  });
});

describe('the quality', () => {
  const CURVE = { hop_seconds: 1, start_seconds: 0, values: [1] };
  /** A recording without faults. */
  const QUALITY: NonNullable<typeof song.quality> = {
    events: [],
    event_counts: { clipping: 0, dropout: 0, silence: 0, click: 0 },
    dc_offset: [0.0001, 0],
    noise_floor_dbfs: -80,
    hum: null,
    bandwidth_hz: 20_000,
    lossy_transcode: { verdict: 'unlikely', cutoff_hz: null, confidence: 0.8 },
    stereo: {
      correlation: 0.6,
      width: 0.2,
      correlation_curve: CURVE,
      width_curve: CURVE,
      mono_loss_db: 1,
      imbalance_db: 0.3,
      phase_inverted: false,
    },
    non_finite_samples: 0,
  };
  const faultsOf = (fields: Partial<typeof QUALITY>) =>
    describeWith({ quality: { ...QUALITY, ...fields } })
      .at(-1)!
      .replace('No clipping, clicks or dropouts were found.', '');

  it('has no faults', () => {
    expect(describeWith({ quality: QUALITY }).at(-1)).toBe('No clipping, clicks or dropouts were found.');
  });

  it('has the counts of what was found, except silence', () => {
    const event_counts = { clipping: 0, dropout: 1, silence: 4, click: 2 };
    expect(faultsOf({ event_counts })).toBe('Found in the recording: 1 × dropout, 2 × click.');
  });

  it.each<[string, Partial<typeof QUALITY>]>([
    [' Its DC offset is 10.0 % of full scale.', { dc_offset: [-0.1, 0.002] }],
    [' Its DC offset is 0.5 % of full scale.', { dc_offset: [0, 0.005] }],
    ['', { dc_offset: [0.0049, 0] }],
    [' It hums at 50 Hz, −48.2 dBFS.', { hum: { frequency_hz: 50, level_dbfs: -48.2, confidence: 0.9 } }],
    [
      ' Its right channel is 6.0 dB louder than its left.',
      { stereo: { ...QUALITY.stereo!, imbalance_db: -6.02 } },
    ],
    [
      ' Its left channel is 3.0 dB louder than its right.',
      { stereo: { ...QUALITY.stereo!, imbalance_db: 3 } },
    ],
    ['', { stereo: { ...QUALITY.stereo!, imbalance_db: 2.9 } }],
    [
      ' Its channels are in opposite phase: 22.5 dB are lost in mono.',
      { stereo: { ...QUALITY.stereo!, phase_inverted: true, mono_loss_db: 22.5 } },
    ],
    [
      ' The spectrum ends at 16.0 kHz, as lossy encoding leaves it.',
      { lossy_transcode: { verdict: 'likely', cutoff_hz: 16_000, confidence: 0.8 } },
    ],
    ['', { lossy_transcode: { verdict: 'unlikely', cutoff_hz: 16_000, confidence: 0.8 } }],
  ])('reads "%s" with %j', (words, fields) => {
    expect(faultsOf(fields)).toBe(words);
  });

  it('explains a missing tempo if the channels cancel each other', () => {
    const quality = { ...QUALITY, stereo: { ...QUALITY.stereo!, phase_inverted: true } };
    const unavailable = { 'rhythm.bpm': 'silence' } as const;
    expect(describeWith({ bpm: null, quality, unavailable })[0]).toBe(
      'No tempo is given: its channels cancel each other in mono, where the music is heard.',
    );
  });
});
