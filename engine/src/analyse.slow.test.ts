import { describe, expect, it } from 'vitest';
import { loadModels } from '../models/load-models.ts';
import { analyse, startAnalysis } from './analyse.ts';
import { ParameterError } from './parameter-error.ts';
import { type AnalysisResult, FEATURE_GROUPS, type FeatureGroup, type Summary } from './result.ts';
import { listSegments } from './segments/segment-spans.ts';
import { cutRandomly, makeMusic, makeNoise, makeSpeech } from './signal/test-signals.ts';

const RATE_HZ = 44_100;
const STEREO = { sampleRateHz: RATE_HZ, channelCount: 2 };
const LEFT = makeMusic(RATE_HZ, 12, 1);
const RIGHT = makeMusic(RATE_HZ, 12, 2);

function analyseInPieces(blockSamplesMax: number, seed: number): AnalysisResult {
  const left = cutRandomly(LEFT, blockSamplesMax, seed);
  const right = cutRandomly(RIGHT, blockSamplesMax, seed);
  return analyse(
    STEREO,
    left.map((piece, index) => ({ channels: [piece, right[index]!] })),
  );
}

/** JSON turns NaN and the infinities into null and drops undefined. The supplement is not sent. */
function expectToSurviveJson({ supplement: _, ...sent }: AnalysisResult): void {
  expect(JSON.parse(JSON.stringify(sent))).toEqual(sent);
}

const result = analyseInPieces(20_000, 1);

describe('the result', () => {
  it('does not depend on how the stream was divided', () => {
    expect(JSON.stringify(analyseInPieces(900, 2))).toBe(JSON.stringify(result));
  });

  it('holds every group but the tags, which need a network', () => {
    expect(FEATURE_GROUPS.filter((group) => result[group] === null)).toEqual(['tags']);
    expect(result.unavailable.tags).toBe('no_model');
    expect(result.durationSeconds).toBe(12);
  });

  it('repeats the main answers of the groups in its summary', () => {
    const { rhythm, tonal, loudness } = result;
    expect(result.summary).toMatchObject({
      durationSeconds: 12,
      bpm: rhythm!.bpm,
      bpmConfidence: rhythm!.confidence,
      timeSignature: rhythm!.timeSignature!.beatsPerBar,
      key: tonal!.key,
      scale: tonal!.scale,
      keyConfidence: tonal!.confidence,
      loudnessLufs: loudness!.integratedLufs,
      truePeakDbtp: loudness!.truePeakDbtp,
      moodTags: [],
      genreSuggestions: [],
    });
  });

  it('holds nothing that JSON cannot represent', () => {
    expectToSurviveJson(result);
  });

  it('gives times to the microsecond', () => {
    const { beats, onsets } = result.rhythm!;
    const timesSeconds = [...beats, ...onsets].map(({ timeSeconds }) => timeSeconds);
    expect(timesSeconds.length).toBeGreaterThan(20);
    for (const seconds of timesSeconds) expect(seconds).toBe(Number(seconds.toFixed(6)));
  });

  it('describes the sound of each segment between its onsets', () => {
    const onsetsSeconds = result.rhythm!.onsets.map(({ timeSeconds }) => timeSeconds);
    const segments = listSegments(onsetsSeconds, result.durationSeconds);
    expect(result.supplement.segmentSounds!.segmentCount).toBe(segments.length);
  });
});

it('leaves out the groups that were not requested', () => {
  const loudnessOnly = analyse(STEREO, [{ channels: [LEFT, RIGHT] }], { features: ['loudness'] });
  expect(loudnessOnly.loudness).toEqual(result.loudness);
  for (const group of FEATURE_GROUPS.filter((name) => name !== 'loudness')) {
    expect(loudnessOnly[group]).toBeNull();
    expect(loudnessOnly.unavailable[group]).toBe('not_requested');
  }
  // One reason stands for the whole group.
  expect(Object.keys(loudnessOnly.unavailable).filter((name) => name.includes('.'))).toEqual([]);
});

it('distinguishes descriptors whose groups were not requested from those without their network', () => {
  const loudnessOnly = analyse(
    STEREO,
    [{ channels: [LEFT, RIGHT] }],
    { features: ['loudness'] },
    loadModels(),
  );
  expect(loudnessOnly.unavailable).toMatchObject({
    energy: 'not_requested',
    danceability: 'not_requested',
    valence: 'not_requested',
    instrumentalness: 'not_requested',
  });
  const withoutModels = analyse(STEREO, [{ channels: [LEFT, RIGHT] }]);
  expect(withoutModels.unavailable).toMatchObject({
    instrumentalness: 'no_model',
    'content.voice_presence': 'no_model',
  });
});

/** Two alternating tones of half a second: harmony that never moves. */
function makeSiren(seconds: number): Float32Array {
  let phase = 0;
  return Float32Array.from({ length: seconds * RATE_HZ }, (_, n) => {
    phase += (2 * Math.PI * (Math.floor((2 * n) / RATE_HZ) % 2 === 0 ? 440 : 554.37)) / RATE_HZ;
    return 0.3 * Math.sin(phase);
  });
}

function makeSpeechThenMusic(): Float32Array {
  const signal = makeMusic(RATE_HZ, 24);
  signal.set(makeSpeech(RATE_HZ, 10));
  return signal;
}

describe.each([
  // From 20 seconds on, a static harmony counts as a bell or a siren (content/abstention.ts).
  ['music', makeMusic(RATE_HZ, 24)],
  ['a siren', makeSiren(24)],
  ['speech and then music', makeSpeechThenMusic()],
])('of %s', (_, signal) => {
  const models = loadModels();
  const hear = (features?: FeatureGroup[]) =>
    analyse({ sampleRateHz: RATE_HZ, channelCount: 1 }, [{ channels: [signal] }], { features }, models);
  const together = hear();

  it.each(FEATURE_GROUPS)('%s alone is the same as with all the other groups', (group) => {
    const alone = hear([group]);
    const reasonsOf = ({ unavailable }: AnalysisResult) =>
      Object.entries(unavailable).filter(([name]) => name.startsWith(`${group}.`));
    expect(alone[group]).toEqual(together[group]);
    expect(reasonsOf(alone)).toEqual(reasonsOf(together));
    // What the summary contains is the same as well.
    for (const [name, value] of Object.entries(alone.summary)) {
      const isMissing = value === null || (Array.isArray(value) && value.length === 0);
      if (!isMissing) expect([name, value]).toEqual([name, together.summary[name as keyof Summary]]);
    }
    expect(together.models).toEqual(expect.arrayContaining(alone.models));
  });
});

it('hears the same music with one of two channels inverted', () => {
  const [left, right] = [LEFT, makeMusic(RATE_HZ, 12, 2).map((sample) => 0.8 * sample)];
  const hear = (channels: Float32Array[]) => analyse(STEREO, [{ channels }], {}, loadModels());
  const upright = hear([left, right]);
  const inverted = hear([left, right.map((sample) => -sample)]);
  expect(upright.summary.key).toBe('A');
  // Half the difference of the one equals the mean of the other, bit for bit.
  for (const group of ['rhythm', 'tonal', 'structure', 'content', 'timbre', 'waveform', 'tags'] as const) {
    expect(inverted[group]).toEqual(upright[group]);
  }
  expect(inverted.fingerprint!.embedding).toEqual(upright.fingerprint!.embedding);
  expect(inverted.quality!.stereo!.phaseInverted).toBe(true);
});

it.each([-20, -40])('music %i dB softer is still music, with the same tempo, key and form', (gainDb) => {
  const music = makeMusic(RATE_HZ, 24);
  const hear = (signal: Float32Array) => {
    const { summary, structure, unavailable } = analyse(
      { sampleRateHz: RATE_HZ, channelCount: 1 },
      [{ channels: [signal] }],
      {},
      loadModels(),
    );
    const groups = structure!.sections.map(({ group }) => group);
    return { bpm: Math.round(summary.bpm!), key: summary.key, groups, noTags: unavailable.tags };
  };
  const expected = { bpm: 120, key: 'C', groups: ['A'], noTags: undefined };
  expect(hear(music)).toEqual(expected);
  expect(hear(music.map((sample) => sample * 10 ** (gainDb / 20)))).toEqual(expected);
});

it.each([
  ['with its networks', loadModels(), ['chord network', 'rhythm', 'beat network', 'rhythm', 'tonal']],
  ['without networks', undefined, ['tonal', 'rhythm', 'tonal']],
])('reports progress that never decreases, and the stages that run: %s', (_, models, noteStages) => {
  const analysis = startAnalysis(STEREO, {}, models);
  analysis.push({ channels: [LEFT, RIGHT] });
  const stages: string[] = [];
  const fractions: number[] = [];
  analysis.finish((stage, fraction) => {
    if (stage !== stages.at(-1)) stages.push(stage);
    fractions.push(fraction);
  });
  expect(stages).toEqual(['spectra', ...noteStages, 'content', 'structure', 'tags', 'summary']);
  expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
  expect([fractions[0], fractions.at(-1)! < 1]).toEqual([0, true]);
});

describe('little or no sound', () => {
  it.each([
    [0, 'silence'],
    [1, 'too_short'],
    [100, 'too_short'],
    [44_100, 'too_short'],
  ])('%d samples of noise have no tempo: %s', (count, reason) => {
    const short = analyse({ sampleRateHz: RATE_HZ, channelCount: 1 }, [
      { channels: [makeNoise(count, 0.1)] },
    ]);
    expectToSurviveJson(short);
    expect(short.summary.bpm).toBeNull();
    expect(short.unavailable['rhythm.bpm']).toBe(reason);
  });

  it('silence has no tempo, key or loudness, each with that reason', () => {
    const silence = new Float32Array(10 * RATE_HZ);
    const silent = analyse(STEREO, [{ channels: [silence, silence] }], {}, loadModels());
    expect(silent.summary).toMatchObject({ bpm: null, key: null, loudnessLufs: null, truePeakDbtp: null });
    expect(silent.unavailable).toMatchObject({
      'rhythm.bpm': 'silence',
      'tonal.key': 'silence',
      'structure.sections': 'silence',
      'loudness.integrated_lufs': 'silence',
      'content.voice_presence': 'silence',
      'fingerprint.embedding': 'silence',
      instrumentalness: 'silence',
      speechiness: 'silence',
    });
  });
});

/** A metronome, which is not music but has a tempo. */
function makeClicks(bpm: number, seconds: number): Float32Array {
  const clicks = new Float32Array(seconds * RATE_HZ);
  for (let at = 0; at < clicks.length; at += Math.round((60 / bpm) * RATE_HZ)) {
    for (let n = 0; n < 900 && at + n < clicks.length; n++) {
      clicks[at + n] = 0.5 * Math.exp(-n / 180) * Math.sin((2 * Math.PI * 1000 * n) / RATE_HZ);
    }
  }
  return clicks;
}

it.each([40, 60, 90, 120, 240])(
  'a metronome of %i BPM has that tempo, but no key, no genre and no voice',
  (bpm) => {
    const clicks = makeClicks(bpm, 15);
    const metronome = analyse(
      { sampleRateHz: RATE_HZ, channelCount: 1 },
      [{ channels: [clicks] }],
      {},
      loadModels(),
    );
    // All five are found to within 0.004 BPM.
    expect(metronome.summary.bpm).toBeCloseTo(bpm, 1);
    expect(metronome.summary.key).toBeNull();
    expect(metronome.content!.voicePresence).toBe(0);
    expect(metronome.unavailable).toMatchObject({ 'tonal.key': 'noise', 'tags.genres': 'noise' });
  },
);

describe('bad parameters', () => {
  it.each([
    { sampleRateHz: 0, channelCount: 2 },
    { sampleRateHz: 44_100.5, channelCount: 2 },
    { sampleRateHz: 768_001, channelCount: 2 },
    { sampleRateHz: 44_100, channelCount: 0 },
    { sampleRateHz: 44_100, channelCount: 1.5 },
    { sampleRateHz: 44_100, channelCount: 65 },
  ])('%o is refused', (format) => {
    expect(() => startAnalysis(format)).toThrow(ParameterError);
  });

  it('the highest rate and the most channels are accepted', () => {
    expect(analyse({ sampleRateHz: 768_000, channelCount: 64 }, []).durationSeconds).toBe(0);
  });

  it('a block with the wrong number of channels, or with channels of two lengths, is refused', () => {
    const analysis = startAnalysis(STEREO);
    expect(() => analysis.push({ channels: [new Float32Array(5)] })).toThrow(ParameterError);
    expect(() => analysis.push({ channels: [new Float32Array(5), new Float32Array(4)] })).toThrow(
      ParameterError,
    );
  });
});
