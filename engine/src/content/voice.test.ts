import { describe, expect, it } from 'vitest';
import type { Content, Curve, Tags } from '../result.ts';
import { agreeWithRegions, describeVoice, findRap, listVoiceSpans, rateTenths } from './voice.ts';

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
  it('bridge a breath of 0.7 s, end at a longer pause, and have the mean probability as their confidence', () => {
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
});

describe('a rapped voice', () => {
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
  const rapTimes = (tags: Tags | null) => [9.9, 10, 19.9, 20, 39.9, 40, 49.9, 50].filter(findRap(tags));

  it('is one in the spans of hip-hop, from the beginning of each to before its end', () => {
    expect(rapTimes(tagsOf('hip-hop', 0.51))).toEqual([10, 19.9, 40, 49.9]);
  });

  it('needs hip-hop to be likelier than not', () => {
    expect(rapTimes(tagsOf('hip-hop', 0.5))).toEqual([]);
  });

  it('is none in another genre, or where the genre is unknown', () => {
    expect(rapTimes(tagsOf('blues', 0.9))).toEqual([]);
    expect(rapTimes(null)).toEqual([]);
  });
});

describe('voice and regions', () => {
  it('agree: no voice in silence and noise, and one in speech', () => {
    const regions = [
      region('silence', 0, 1),
      region('noise', 1, 2),
      { ...region('speech', 2, 3), confidence: 0.8 },
      region('music', 3, 4),
    ];
    const fill = (value: number) => new Array<number>(10).fill(value);
    const agreed = agreeWithRegions(new Array<number>(40).fill(0.3), regions);
    expect(agreed).toEqual([...fill(0), ...fill(0), ...fill(0.8), ...fill(0.3)]);
    expect(agreeWithRegions(new Array<number>(40).fill(0.9), regions)[25]).toBe(0.9);
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

  it('averages the log odds of 0.7 s, fewer at the ends', () => {
    const step = Float64Array.from({ length: 20 }, (_, tenth) => (tenth < 10 ? 2 : -2));
    const rated = rateTenths(step, null);
    const rateSteady = (logit: number) => rateTenths(new Float64Array(20).fill(logit), null)[10];
    expect(rated.slice(0, 7)).toEqual(rateTenths(lead, null).slice(0, 7));
    // Six of one and one of the other, then four and three, then three and four.
    expect([7, 9, 10].map((tenth) => rated[tenth])).toEqual([10 / 7, 2 / 7, -2 / 7].map(rateSteady));
  });

  it('is high for a lead where the recording may be sung or that is unknown', () => {
    expect(rateTenths(lead, null)[10]).toBeGreaterThan(0.6);
    expect(rateTenths(lead, 0)).toEqual(rateTenths(lead, null));
  });

  it('is low for a lead where the recording sounds instrumental', () => {
    expect(Math.max(...rateTenths(lead, -1))).toBeLessThan(0.5);
    expect(Math.max(...rateTenths(lead, -20))).toBeLessThan(0.1);
  });

  it('is no higher because the recording is a song', () => {
    expect(rateTenths(lead, 20)).toEqual(rateTenths(lead, 0));
  });

  it('is high for a voice as plain as speech, whatever the recording sounds like', () => {
    expect(rateTenths(new Float64Array(20).fill(6), -20)[10]).toBeGreaterThan(0.5);
  });
});
