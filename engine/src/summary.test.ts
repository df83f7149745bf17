import { describe, expect, it } from 'vitest';
import type { Loudness, Rhythm, Tags, Tonal } from './result.ts';
import { summarise } from './summary.ts';

const rhythm = { bpm: 123.4, confidence: 0.9, timeSignature: { beatsPerBar: 3 } } as Rhythm;
const tonal = { key: 'F#', scale: 'minor', confidence: 0.8 } as Tonal;
const loudness = { integratedLufs: -9.5, truePeakDbtp: -0.3 } as Loudness;
const tags = {
  genres: [{ label: 'techno' }, { label: 'house' }],
  moods: [{ label: 'dark' }],
} as Tags;
const WITHOUT_GROUPS = { durationSeconds: 60, rhythm: null, tonal: null, loudness: null, tags: null };

describe('the summary', () => {
  it('repeats the main answers of the groups, and writes the key in three notations', () => {
    expect(summarise({ durationSeconds: 60, rhythm, tonal, loudness, tags })).toEqual({
      durationSeconds: 60,
      bpm: 123.4,
      bpmConfidence: 0.9,
      timeSignature: 3,
      key: 'F#',
      scale: 'minor',
      keyNotation: 'F#m',
      keyConfidence: 0.8,
      camelot: '11A',
      openKey: '4m',
      loudnessLufs: -9.5,
      truePeakDbtp: -0.3,
      moodTags: ['dark'],
      genreSuggestions: ['techno', 'house'],
    });
  });

  it('is null, or an empty list, where a group is missing', () => {
    const { durationSeconds, moodTags, genreSuggestions, ...others } = summarise(WITHOUT_GROUPS);
    expect([durationSeconds, moodTags, genreSuggestions]).toEqual([60, [], []]);
    expect(new Set(Object.values(others))).toEqual(new Set([null]));
  });

  it('has no key notations without a key', () => {
    const keyless = { ...tonal, key: null, scale: null };
    expect(summarise({ ...WITHOUT_GROUPS, tonal: keyless })).toMatchObject({
      keyNotation: null,
      camelot: null,
      openKey: null,
    });
  });
});
