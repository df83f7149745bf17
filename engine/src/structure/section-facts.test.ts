import { describe, expect, it } from 'vitest';
import type { Curve, KeySpan } from '../result.ts';
import { createFactFinder, findVoiceShare, rateEnergies } from './section-facts.ts';

const span = (
  startSeconds: number,
  endSeconds: number,
  key: KeySpan['key'],
  scale: KeySpan['scale'],
): KeySpan => ({ startSeconds, endSeconds, key, scale, confidence: 1 });
/** A value a second, from second 10. */
const curve = (values: (number | null)[]): Curve => ({ startSeconds: 10, hopSeconds: 1, values });
const find = (facts: { beats?: number[]; keys?: KeySpan[]; loudness?: (number | null)[] }) =>
  createFactFinder(facts.beats ?? [], facts.keys ?? [], curve(facts.loudness ?? []));

describe('the tempo of a section', () => {
  it('is that of the median interval between its own beats', () => {
    const beats = [0, 1, 1.5, 2, 2.5, 3.25, 4, 9];
    // 0.5, 0.5, 0.5 and 0.75 from second 1 on.
    expect(find({ beats })(1, 4).bpm).toBe(120);
    // 0.75 twice.
    expect(find({ beats })(2.5, 4.1).bpm).toBe(80);
  });

  it('is null for two beats', () => {
    expect(find({ beats: [0, 1, 2, 3] })(1, 3).bpm).toBeNull();
    expect(find({ beats: [0, 1, 2, 3] })(1, 3.1).bpm).toBe(60);
  });
});

describe('the key of a section', () => {
  const keys = [span(0, 10, 'C', 'major'), span(10, 30, 'A', 'minor')];
  it.each([
    ['its only one', 0, 10, 'C'],
    ['that of most of it', 2, 17, 'C'],
    ['that of most of it, minor', 4, 17, 'Am'],
    ['null beyond the last span', 30, 40, null],
  ])('is %s', (_name, start, end, expected) => {
    expect(find({ keys })(start, end).key).toBe(expected);
  });

  it('is the first of two keys of equal length', () => {
    expect(find({ keys })(5, 15).key).toBe('C');
  });
});

describe('the loudness of a section', () => {
  const loudness = [-20, -10, -10, null, -20, -30];
  it.each([
    ['of a steady stretch', 11, 13, -10],
    // Powers of 0.01 and 0.1.
    ['is the mean of the powers', 10, 12, 10 * Math.log10(0.055)],
    ['counts silence as no power', 12, 14, 10 * Math.log10(0.05)],
    ['begins with the first value in it', 10.5, 12.5, -10],
    ['ends where the curve does', 15, 99, -30],
    ['begins where the curve does', 0, 11, -20],
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

it('energy is 1 for the loudest section, and 0 from 20 LU below it on', () => {
  expect(rateEnergies([-14, -24, -34, -50, null])).toEqual([1, 0.5, 0, 0, null]);
});

it('the share of voice counts values of a half and more, and is null outside of the curve', () => {
  const voice = curve([0.9, 0.5, 0.49, null, 0.8, 0.8]);
  expect(findVoiceShare(voice, 10, 14)).toBe(0.5);
  expect(findVoiceShare(voice, 14, 99)).toBe(1);
  expect(findVoiceShare(voice, 11.6, 13.4)).toBe(0);
  expect(findVoiceShare(voice, 0, 11)).toBe(1);
  expect(findVoiceShare(voice, 0, 5)).toBeNull();
  expect(findVoiceShare(voice, 12, 12)).toBeNull();
});
