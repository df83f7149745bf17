import { describe, expect, it } from 'vitest';
import type { Content, Curve } from '../result.ts';
import { agreeWithRegions, describeVoice, listVoiceSpans, rateTenths } from './voice.ts';

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
const sung = (): boolean => false;

describe('spans of voice', () => {
  it('close a breath, and part at a pause', () => {
    const spans = listVoiceSpans(
      curve([
        [0.9, 20],
        [0.1, 5],
        [0.9, 20],
        [0.1, 20],
        [0.8, 10],
      ]),
      [],
      sung,
    );
    expect(spans.map(({ startSeconds, endSeconds }) => [startSeconds, endSeconds])).toEqual([
      [0, 4.5],
      [6.5, 7.5],
    ]);
  });

  it('leave out what is too short to be a word', () => {
    expect(
      listVoiceSpans(
        curve([
          [0.1, 20],
          [0.9, 2],
          [0.1, 20],
        ]),
        [],
        sung,
      ),
    ).toEqual([]);
  });

  it('are spoken where the regions say speech, and rapped where the genre does', () => {
    const voice = curve([[0.9, 50]]);
    expect(listVoiceSpans(voice, [region('speech', 0, 5)], sung)[0]!.kind).toBe('spoken');
    expect(listVoiceSpans(voice, [region('music', 0, 5)], () => true)[0]!.kind).toBe('rapped');
    expect(listVoiceSpans(voice, [region('music', 0, 5)], sung)[0]!.kind).toBe('sung');
  });
});

describe('voice and regions', () => {
  it('agree: none in silence and noise, and one where there is speech', () => {
    const regions = [
      region('silence', 0, 1),
      region('noise', 1, 2),
      { ...region('speech', 2, 3), confidence: 0.8 },
      region('music', 3, 4),
    ];
    const agreed = agreeWithRegions(new Array<number>(40).fill(0.3), regions);
    expect([5, 15, 25, 35].map((tenth) => agreed[tenth])).toEqual([0, 0, 0.8, 0.3]);
  });
});

describe('presence of voice', () => {
  it('is the share of the recording, and instrumentalness what is left of the sound', () => {
    const heard = {
      curve: curve([
        [0.9, 50],
        [0.05, 150],
      ]),
      models: [],
    };
    const regions = [region('music', 0, 10), region('silence', 10, 20)];
    const { voice, instrumentalness } = describeVoice(heard, 'no_model', regions, 20, sung);
    expect(voice.voicePresence).toBe(0.25);
    expect(instrumentalness).toBe(0.5);
  });

  it('is unknown, with the reason, when nobody listened or there was no sound', () => {
    expect(describeVoice(null, 'no_model', [region('music', 0, 9)], 9, sung).reason).toBe('no_model');
    const heard = { curve: curve([[0, 90]]), models: [] };
    expect(describeVoice(heard, 'no_model', [region('silence', 0, 9)], 9, sung).reason).toBe('silence');
  });
});

describe('frames and the recording as a whole', () => {
  // Log odds of 2: a lead that sounds like a singer, but not like a speaker.
  const lead = new Float64Array(20).fill(2);

  it('agree on a voice where the recording may be sung, or nobody can tell', () => {
    expect(rateTenths(lead, null)[10]).toBeGreaterThan(0.6);
    expect(rateTenths(lead, 0)).toEqual(rateTenths(lead, null));
  });

  it('hear none in a lead where the recording sounds instrumental', () => {
    expect(Math.max(...rateTenths(lead, -1))).toBeLessThan(0.5);
    expect(Math.max(...rateTenths(lead, -20))).toBeLessThan(0.1);
  });

  it('do not sing more because the recording is a song', () => {
    expect(rateTenths(lead, 20)).toEqual(rateTenths(lead, 0));
  });

  it('hear what is as plain as can be, whatever the recording sounds like', () => {
    expect(rateTenths(new Float64Array(20).fill(6), -20)[10]).toBeGreaterThan(0.5);
  });
});
