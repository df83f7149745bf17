import { describe, expect, it } from 'vitest';
import { assembleResult, type Measurements } from './assemble-result.ts';
import { describeVoice } from './content/voice.ts';
import { MUSIC_NOT_REQUESTED, type Music } from './hear-music.ts';
import { FEATURE_GROUPS, type FeatureGroup } from './result.ts';

/** Only what the assembly reads. */
const SILENCE = {
  durationSeconds: 1 / 3,
  loudness: {
    loudness: { integratedLufs: null, truePeakDbtp: null, plrLu: null },
    unavailable: { 'loudness.integrated_lufs': 'silence' },
  },
  quality: { quality: {}, unavailable: { 'quality.bandwidth_hz': 'silence' } },
  timbre: {
    timbre: { centroidHz: null, flatness: null, flux: null, tonalBalance: [] },
    unavailable: { 'timbre.centroid_hz': 'silence' },
  },
  waveform: { levels: [] },
  chromaprint: { chromaprint: null, chromaprintDurationSeconds: 0 },
} as unknown as Measurements;

/** A different reason for each question, to show that none takes the place of another. */
const UNANSWERED = {
  ...MUSIC_NOT_REQUESTED,
  rhythm: { bpm: null, confidence: null, stability: null, timeSignature: null, beats: [] },
  tonal: { key: null, scale: null, confidence: null },
  structure: { sections: [] },
  reasons: { rhythm: 'no_pulse', tonal: 'no_pitched_content', structure: 'too_short' },
  content: { content: { regions: [] }, speechiness: null, unavailable: { speechiness: 'speech' } },
  voice: describeVoice(null, 'no_model', [], 0, () => false),
  tags: { tags: null, reason: 'noise', moodsReason: 'nothing_stands_out', noMusic: null, hidden: null },
} as unknown as Music;

const assemble = (...wanted: FeatureGroup[]) => assembleResult(SILENCE, UNANSWERED, new Set(wanted));

describe('the assembled result', () => {
  it('has the reason for each absent value under its wire name', () => {
    expect(assemble(...FEATURE_GROUPS).unavailable).toEqual({
      'loudness.integrated_lufs': 'silence',
      'quality.bandwidth_hz': 'silence',
      'timbre.centroid_hz': 'silence',
      'rhythm.bpm': 'no_pulse',
      'rhythm.beats': 'no_pulse',
      'rhythm.time_signature': 'no_pulse',
      'tonal.key': 'no_pitched_content',
      'tonal.chords': 'no_pitched_content',
      'structure.sections': 'too_short',
      'fingerprint.chromaprint': 'too_short',
      'fingerprint.embedding': 'silence',
      'content.voice_presence': 'no_model',
      tags: 'noise',
      'tags.genres': 'noise',
      'tags.moods': 'nothing_stands_out',
      genre_suggestions: 'noise',
      mood_tags: 'nothing_stands_out',
      energy: 'silence',
      danceability: 'no_pulse',
      valence: 'no_pulse',
      acousticness: 'silence',
      instrumentalness: 'no_model',
      speechiness: 'speech',
    });
  });

  it('has null and one reason for each group that was not requested, and keeps the others whole', () => {
    const result = assemble('rhythm');
    const others = FEATURE_GROUPS.filter((group) => group !== 'rhythm');
    expect(result.rhythm).toEqual(UNANSWERED.rhythm);
    for (const group of others) {
      expect(result[group]).toBeNull();
      expect(result.unavailable[group]).toBe('not_requested');
    }
    const dotted = Object.keys(result.unavailable).filter((name) => name.includes('.'));
    expect(dotted).toEqual(['rhythm.bpm', 'rhythm.beats', 'rhythm.time_signature']);
    expect(result.unavailable).toMatchObject({
      genre_suggestions: 'not_requested',
      mood_tags: 'not_requested',
      energy: 'silence',
    });
  });

  it.each([
    ['loudness', 'loudness.integrated_lufs'],
    ['timbre', 'timbre.centroid_hz'],
    ['timbre', 'timbre.tonal_balance'],
  ] as const)('explains an absent descriptor of the sound by its %s: %s', (group, name) => {
    const known = {
      loudness: { ...SILENCE.loudness, unavailable: {} },
      timbre: { ...SILENCE.timbre, unavailable: {} },
    };
    const measured = { ...SILENCE, ...known, [group]: { ...known[group], unavailable: { [name]: 'noise' } } };
    expect(
      assembleResult(measured as Measurements, UNANSWERED, new Set(FEATURE_GROUPS)).unavailable.energy,
    ).toBe('noise');
  });

  it('has the voice beside the regions, the networks that were run, and tags in the summary if they were requested', () => {
    const models = [{ name: 'tags', version: '1', sha256: 'known' }];
    const tags = { genres: [{ label: 'house' }], moods: [], instruments: [], eras: [] };
    const tagged = { ...UNANSWERED, models, tags: { ...UNANSWERED.tags, tags } } as unknown as Music;
    const [withTags, without] = (['tags', 'content'] as const).map((group) =>
      assembleResult(SILENCE, tagged, new Set([group])),
    );
    expect([withTags!.models, without!.models]).toEqual([models, models]);
    expect([withTags!.summary.genreSuggestions, without!.summary.genreSuggestions]).toEqual([['house'], []]);
    expect(without!.content).toEqual({ regions: [], ...UNANSWERED.voice.voice });
  });

  it('has the same summary whatever groups were requested, and rounded numbers', () => {
    const result = assemble('loudness');
    expect(result.summary).toEqual(assemble('rhythm').summary);
    expect([result.durationSeconds, result.summary.durationSeconds]).toEqual([0.333333, 0.333333]);
  });
});
