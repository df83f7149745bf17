import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Content, Curve, Tags } from '../result.ts';
import { makeMusic, makeNoise, makeSpeech } from '../signal/test-signals.ts';
import { analyseSpectra } from '../signal/test-spectra.ts';
import {
  calibrateTenths,
  createRapTest,
  describeVoice,
  hearVoice,
  listVoiceSpans,
  reconcileWithRegions,
} from './voice.ts';

const curve = (pattern: [probability: number, tenths: number][]): Curve => ({
  hopSeconds: 0.1,
  startSeconds: 0,
  values: pattern.flatMap(([probability, tenths]) => new Array<number>(tenths).fill(probability)),
});
const region = (kind: Content['regions'][number]['kind'], startSeconds: number, endSeconds: number) => ({
  kind,
  startSeconds,
  endSeconds,
  confidence: 1,
});
const isNeverRapped = (): boolean => false;

describe('spans of voice', () => {
  it('bridge a breath of 0.7 s, end at a longer pause, and have their mean probability as confidence', () => {
    const spans = listVoiceSpans(
      curve([
        [0.9, 20],
        [0.1, 7],
        [0.9, 20],
        [0.1, 8],
        [0.8, 10],
      ]),
      [],
      isNeverRapped,
    );
    expect(spans).toEqual([
      // (40 · 0.9 + 7 · 0.1) / 47
      { startSeconds: 0, endSeconds: 4.7, kind: 'sung', confidence: 0.781 },
      { startSeconds: 5.5, endSeconds: 6.5, kind: 'sung', confidence: 0.8 },
    ]);
  });

  it.each([
    [3, 0],
    [4, 1],
  ])('last 0.4 s at least: %i tenths make %i', (tenths, spanCount) => {
    const voice = curve([
      [0.1, 20],
      [0.9, tenths],
      [0.1, 20],
    ]);
    expect(listVoiceSpans(voice, [], isNeverRapped)).toHaveLength(spanCount);
  });

  it('are spoken where the region is speech, else rapped where `isRapped` holds, else sung', () => {
    const voice = curve([[0.9, 50]]);
    expect(listVoiceSpans(voice, [region('speech', 0, 5)], () => true)[0]!.kind).toBe('spoken');
    expect(listVoiceSpans(voice, [region('music', 0, 5)], () => true)[0]!.kind).toBe('rapped');
    expect(listVoiceSpans(voice, [region('music', 0, 5)], isNeverRapped)[0]!.kind).toBe('sung');
  });

  it('are of the kind that they have in their middle', () => {
    const voice = curve([[0.9, 50]]);
    const kindOf = (...regions: Content['regions']) =>
      listVoiceSpans(voice, regions, (seconds) => seconds === 2.5)[0]!.kind;
    expect(kindOf(region('music', 0, 2.5), region('speech', 2.5, 5))).toBe('spoken');
    expect(kindOf(region('speech', 0, 2.5), region('music', 2.5, 5))).toBe('rapped');
  });

  it('have a probability of a half or more', () => {
    const voice = curve([
      [0.5, 10],
      [0.499, 10],
    ]);
    expect(listVoiceSpans(voice, [], isNeverRapped)).toMatchObject([{ startSeconds: 0, endSeconds: 1 }]);
  });
});

describe('a voice is rapped', () => {
  const tagsOf = (label: string, confidence: number): Tags => ({
    genres: [
      { label: 'pop', confidence: 0.9, spans: [{ startSeconds: 0, endSeconds: 90, confidence: 0.9 }] },
      {
        label,
        confidence,
        spans: [
          { startSeconds: 10, endSeconds: 20, confidence },
          { startSeconds: 40, endSeconds: 50, confidence },
        ],
      },
    ],
    moods: [],
    instruments: [],
    eras: [],
  });
  const rapTimes = (tags: Tags | null) => [9.9, 10, 19.9, 20, 39.9, 40, 49.9, 50].filter(createRapTest(tags));

  it('in the spans of hip-hop, from the start of each until just before its end', () => {
    expect(rapTimes(tagsOf('hip-hop', 0.51))).toEqual([10, 19.9, 40, 49.9]);
  });

  it('only if hip-hop is more likely than not', () => {
    expect(rapTimes(tagsOf('hip-hop', 0.5))).toEqual([]);
  });

  it('in no other genre, and not if the genre is unknown', () => {
    expect(rapTimes(tagsOf('blues', 0.9))).toEqual([]);
    expect(rapTimes(null)).toEqual([]);
  });
});

describe('voice and regions', () => {
  it('are reconciled: there is no voice in silence and noise, and one in speech', () => {
    const regions = [
      region('silence', 0, 1),
      region('noise', 1, 2),
      { ...region('speech', 2, 3), confidence: 0.8 },
      region('music', 3, 4),
    ];
    const fill = (value: number) => new Array<number>(10).fill(value);
    const values = reconcileWithRegions(new Array<number>(40).fill(0.3), regions);
    expect(values).toEqual([...fill(0), ...fill(0), ...fill(0.8), ...fill(0.3)]);
    expect(reconcileWithRegions(new Array<number>(40).fill(0.9), regions)[25]).toBe(0.9);
  });
});

describe('presence of voice', () => {
  it('is a share of the recording, and instrumentalness the share of the sound without a voice', () => {
    const heard = {
      curve: curve([
        [0.9, 50],
        [0.1, 150],
      ]),
      models: [],
    };
    const regions = [region('music', 0, 10), region('silence', 10, 20)];
    const { voice, instrumentalness, reason } = describeVoice(heard, 'no_model', regions, 20, isNeverRapped);
    expect(voice.voicePresence).toBe(0.25);
    // The likelier answer of every tenth, voice or none, has 0.9.
    expect(voice.voicePresenceConfidence).toBe(0.9);
    expect(instrumentalness).toBe(0.5);
    expect(reason).toBeNull();
  });

  it('leaves nothing instrumental, and no less, where spans bridge silences longer than the music', () => {
    const heard = { curve: curve([[0.9, 200]]), models: [] };
    const regions = [region('music', 0, 9), region('silence', 9, 20)];
    expect(describeVoice(heard, 'no_model', regions, 20, isNeverRapped).instrumentalness).toBe(0);
  });

  it('is unknown when the network did not run, nothing sounds, or the file is too short for regions', () => {
    const unknownFor = (reason: string) => ({
      voice: { voicePresence: null, voicePresenceConfidence: null, voiceSpans: [], voiceCurve: null },
      instrumentalness: null,
      reason,
    });
    const heard = { curve: curve([[0, 90]]), models: [] };
    const describeHeard = (given: typeof heard | null, regions: Content['regions']) =>
      describeVoice(given, 'no_model', regions, 9, isNeverRapped);
    expect(describeHeard(null, [region('music', 0, 9)])).toEqual(unknownFor('no_model'));
    expect(describeHeard(heard, [region('silence', 0, 9)])).toEqual(unknownFor('silence'));
    expect(describeHeard(heard, [])).toEqual(unknownFor('too_short'));
  });
});

describe('the probability of a voice', () => {
  // Log odds of 2: a lead that sounds like a singer, but not like a speaker.
  const lead = new Float64Array(20).fill(2);

  it('is calibrated by intercept and slope, and lowered by up to 2.5 negative log odds of singing times 1.5', () => {
    const probabilityOf = (logit: number) => 1 / (1 + Math.exp(-logit));
    // Rounded to three digits.
    expect(calibrateTenths(lead, null)[10]).toBeCloseTo(probabilityOf(0.96 * 2 - 1.05), 3);
    expect(calibrateTenths(lead, -1)[10]).toBeCloseTo(probabilityOf(0.96 * 2 - 1.05 - 1.5), 3);
    expect(calibrateTenths(lead, -20)[10]).toBeCloseTo(probabilityOf(0.96 * 2 - 1.05 - 1.5 * 2.5), 3);
  });

  it('averages the log odds of 0.7 s, fewer at the ends', () => {
    const step = Float64Array.from({ length: 20 }, (_, tenth) => (tenth < 10 ? 2 : -2));
    const rated = calibrateTenths(step, null);
    const rateSteady = (logit: number) => calibrateTenths(new Float64Array(20).fill(logit), null)[10];
    expect(rated.slice(0, 7)).toEqual(calibrateTenths(lead, null).slice(0, 7));
    // Six of one and one of the other, then four and three, then three and four.
    expect([7, 9, 10].map((tenth) => rated[tenth])).toEqual([10 / 7, 2 / 7, -2 / 7].map(rateSteady));
  });

  it('is high for a lead if the recording may be sung, or if that is unknown', () => {
    expect(calibrateTenths(lead, null)[10]).toBeGreaterThan(0.6);
    expect(calibrateTenths(lead, 0)).toEqual(calibrateTenths(lead, null));
  });

  it('is low for a lead if the recording sounds instrumental', () => {
    expect(Math.max(...calibrateTenths(lead, -1))).toBeLessThan(0.5);
    expect(Math.max(...calibrateTenths(lead, -20))).toBeLessThan(0.1);
  });

  it('is no higher because the recording is a song', () => {
    expect(calibrateTenths(lead, 20)).toEqual(calibrateTenths(lead, 0));
  });

  it('is high for a voice as plain as speech, however instrumental the recording sounds', () => {
    expect(calibrateTenths(new Float64Array(20).fill(6), -20)[10]).toBeGreaterThan(0.5);
  });
});

describe('the shipped network', () => {
  const model = new Uint8Array(readFileSync(new URL('../../models/voice-v3.bin', import.meta.url)));
  const SECONDS = 12;
  const RATE_HZ = 22_050;
  const hear = (signal: Float32Array, regions: Content['regions'] = []) => {
    const { mel, rms } = analyseSpectra(signal);
    return hearVoice(mel, rms, model, regions, null);
  };
  const meanOf = ({ curve: { values } }: ReturnType<typeof hear>) =>
    values.reduce<number>((sum, value) => sum + value!, 0) / values.length;

  it('hears a voice in speech, and none in noise or in music without one', () => {
    const speech = hear(makeSpeech(RATE_HZ, SECONDS));
    expect(speech.curve).toMatchObject({ hopSeconds: 0.1, startSeconds: 0 });
    expect(speech.curve.values).toHaveLength(10 * SECONDS);
    expect(speech.models.map(({ name }) => name)).toEqual(['voice']);
    // 0.5 divides voice from none, in spans of it as well.
    expect(meanOf(speech)).toBeGreaterThan(0.5);
    expect(meanOf(hear(makeNoise(SECONDS * RATE_HZ, 0.2)))).toBeLessThan(0.5);
    expect(meanOf(hear(makeMusic(RATE_HZ, SECONDS)))).toBeLessThan(0.5);
  });

  it('is overruled by regions of silence and noise', () => {
    const { curve } = hear(makeSpeech(RATE_HZ, SECONDS), [region('noise', 0, SECONDS)]);
    expect(curve.values).toEqual(new Array(10 * SECONDS).fill(0));
  });
});
