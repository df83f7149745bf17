import { describe, expect, it } from 'vitest';
import type { Curve, KeySpan } from '../result.ts';
import { findFacts, findVoiceShare, rateEnergies } from './section-facts.ts';

const span = (
  startSeconds: number,
  endSeconds: number,
  key: KeySpan['key'],
  scale: KeySpan['scale'],
): KeySpan => ({ startSeconds, endSeconds, key, scale, confidence: 1 });
/** One value a second, from second 10 on. */
const curve = (values: (number | null)[]): Curve => ({ startSeconds: 10, hopSeconds: 1, values });
const find =
  ({
    beats = [],
    keys = [],
    loudness = [],
  }: {
    beats?: number[];
    keys?: KeySpan[];
    loudness?: (number | null)[];
  }) =>
  (startSeconds: number, endSeconds: number) =>
    findFacts({ beatsSeconds: beats, keySpans: keys, loudness: curve(loudness) }, startSeconds, endSeconds);

describe('the tempo of a section', () => {
  it('is that of the median interval between the beats inside it', () => {
    const beats = [0, 1, 1.5, 2, 2.5, 3.25, 4, 9];
    // Intervals of 0.5, 0.5, 0.5 and 0.75 s.
    expect(find({ beats })(1, 4).bpm).toBe(120);
    // Two intervals of 0.75 s.
    expect(find({ beats })(2.5, 4.1).bpm).toBe(80);
  });

  it('is null with fewer than three beats', () => {
    expect(find({ beats: [0, 1, 2, 3] })(1, 3).bpm).toBeNull();
    expect(find({ beats: [0, 1, 2, 3] })(1, 3.1).bpm).toBe(60);
  });
});

describe('the key of a section', () => {
  const keys = [span(0, 10, 'C', 'major'), span(10, 30, 'A', 'minor')];
  it.each([
    ['the only one in it', 0, 10, 'C'],
    ['the one with the longest part of it', 2, 17, 'C'],
    ['the one with the longest part of it, if minor', 4, 17, 'Am'],
    ['null beyond the last span', 30, 40, null],
  ])('is %s', (_name, start, end, expected) => {
    expect(find({ keys })(start, end).key).toBe(expected);
  });

  it('is the earlier of two keys with equal parts', () => {
    expect(find({ keys })(5, 15).key).toBe('C');
  });

  it('is the one with the most time in all, though another has the longest single part', () => {
    const returning = [
      span(0, 15, 'C', 'major'),
      span(15, 33, 'A', 'minor'),
      span(33, 45, 'C', 'major'),
      span(45, 99, 'A', 'minor'),
    ];
    expect(find({ keys: returning })(0, 45).key).toBe('C');
    // 5 and 9 s of C, 18 of A minor.
    expect(find({ keys: returning })(10, 42).key).toBe('Am');
  });
});

describe('the loudness of a section', () => {
  const loudness = [-20, -10, -10, null, -20, -30];
  it.each([
    ['is that of a steady level', 11, 13, -10],
    // Powers of 0.01 and 0.1.
    ['is the mean of the powers', 10, 12, 10 * Math.log10(0.055)],
    ['counts silence as zero power', 12, 14, 10 * Math.log10(0.05)],
    ['starts with the first value inside it', 10.5, 12.5, -10],
    ['stops at the end of the curve', 15, 99, -30],
    ['starts at the beginning of the curve', 0, 11, -20],
  ])('%s', (_name, start, end, expected) => {
    expect(find({ loudness })(start, end).loudnessLufs).toBeCloseTo(expected, 9);
  });

  it.each([
    ['in silence', 13, 14],
    ['beyond the curve', 20, 30],
    ['before the curve', 0, 5],
  ])('is null %s', (_name, start, end) => {
    expect(find({ loudness })(start, end).loudnessLufs).toBeNull();
  });
});

it('energy is 1 for the loudest section and 0 from 20 LU below it, linearly in between', () => {
  expect(rateEnergies([-14, -24, -34, -50, null])).toEqual([1, 0.5, 0, 0, null]);
});

it('voice share counts probabilities of at least a half and is null outside the curve', () => {
  const voice = curve([0.9, 0.5, 0.49, null, 0.8, 0.8]);
  expect(findVoiceShare(voice, 10, 14)).toBe(0.5);
  expect(findVoiceShare(voice, 14, 99)).toBe(1);
  // Times are rounded to the nearest value.
  expect(findVoiceShare(voice, 11.6, 13.4)).toBe(0);
  expect(findVoiceShare(voice, 11.4, 13.4)).toBe(0.5);
  expect(findVoiceShare(voice, 0, 11)).toBe(1);
  expect(findVoiceShare(voice, 0, 5)).toBeNull();
  expect(findVoiceShare(voice, 12, 12)).toBeNull();
});
