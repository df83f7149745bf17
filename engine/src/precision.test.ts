import { describe, expect, it } from 'vitest';
import { roundNumbers } from './precision.ts';

describe('rounding', () => {
  it.each([
    ['a time to the microsecond', { timeSeconds: 31.320151254924962 }, { timeSeconds: 31.320151 }],
    ['a tempo to the millionth', { bpm: 96.6421024154417 }, { bpm: 96.642102 }],
    ['a confidence to three decimals', { confidence: 0.9570134622458424 }, { confidence: 0.957 }],
    ['a confidence of anything to three decimals', { bpmConfidence: 0.86708 }, { bpmConfidence: 0.867 }],
    ['a descriptor to three decimals', { energy: 0.68660485 }, { energy: 0.687 }],
    [
      'a number inside a list',
      { beats: [{ strength: 0.18637928366661072 }] },
      { beats: [{ strength: 0.186 }] },
    ],
  ])('gives %s', (_, exact, rounded) => {
    expect(roundNumbers(exact)).toEqual(rounded);
  });

  it.each([
    ...['confidence', 'keyConfidence', 'weight', 'strength', 'severity', 'stability', 'ratio'],
    ...['energy', 'danceability', 'valence', 'acousticness', 'instrumentalness', 'speechiness'],
  ])('gives three decimals for %s', (name) => {
    expect(roundNumbers({ [name]: 0.123456 })).toEqual({ [name]: 0.123 });
  });

  it('does not round the hop of a curve, which is multiplied by an index, or its values', () => {
    const curve = { hopSeconds: 0.20001666666666665, startSeconds: 1 / 3, values: [1 / 3, null] };
    expect(roundNumbers(curve)).toEqual({ ...curve, startSeconds: 0.333333 });
  });

  it('does not round numbers in other units', () => {
    const loudness = { integratedLufs: -12.948491270889521, key: 'Am', limited: true, events: null };
    expect(roundNumbers(loudness)).toEqual(loudness);
  });
});

describe('rounded times', () => {
  it('of neighbouring samples stay distinct a day into a file at the highest rate', () => {
    const rateHz = 768_000;
    for (let sample = 86_400 * rateHz; sample < 86_400 * rateHz + 1000; sample++) {
      const [one, next] = [sample, sample + 1].map((at) => roundNumbers({ timeSeconds: at / rateHz }));
      expect(one!.timeSeconds).toBeLessThan(next!.timeSeconds);
    }
  });

  it('keep their order, and spans that touch still touch', () => {
    const timesSeconds = Array.from({ length: 1000 }, (_, index) => index ** 1.5 / 1e5);
    const spans = timesSeconds
      .slice(1)
      .map((endSeconds, index) => ({ startSeconds: timesSeconds[index]!, endSeconds }));
    const rounded = roundNumbers(spans);
    for (const [index, { startSeconds, endSeconds }] of rounded.entries()) {
      expect(startSeconds).toBeLessThanOrEqual(endSeconds);
      if (index > 0) expect(startSeconds).toBe(rounded[index - 1]!.endSeconds);
    }
  });
});
