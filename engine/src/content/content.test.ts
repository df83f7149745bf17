import { describe, expect, it } from 'vitest';
import { makeImpulse, makeMusic, makeNoise, makeSine, makeSpeech } from '../signal/test-signals.ts';
import { analyseSpectra } from '../signal/test-spectra.ts';
import { findReasonToAbstain } from './abstention.ts';
import { type DescribedContent, describeContent } from './content.ts';

const RATE_HZ = 22_050;

const listen = (signal: Float32Array, beatsSeconds: number[] = []): DescribedContent =>
  describeContent(analyseSpectra(signal), beatsSeconds);

function join(...signals: Float32Array[]): Float32Array {
  const joined = new Float32Array(signals.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const signal of signals) {
    joined.set(signal, at);
    at += signal.length;
  }
  return joined;
}
const kindsOf = ({ content }: DescribedContent) => content.regions.map(({ kind }) => kind);

const MUSIC = makeMusic(RATE_HZ, 12);
const SPEECH = makeSpeech(RATE_HZ, 12);
const NOISE = makeNoise(12 * RATE_HZ, 0.2);
const SILENCE = new Float32Array(4 * RATE_HZ);
/** 120 BPM for twelve seconds. */
const BEATS = Array.from({ length: 24 }, (_, k) => k * 0.5);

describe('kinds of sound', () => {
  it('music', () => {
    const heard = listen(MUSIC);
    expect(kindsOf(heard)).toEqual(['music']);
    expect(heard.content.regions[0]).toMatchObject({ startSeconds: 0, endSeconds: 12 });
    expect(heard.speechiness).toBeLessThan(0.3);
    expect(findReasonToAbstain(heard.content)).toBeNull();
  });

  it('speech', () => {
    const heard = listen(SPEECH);
    expect(kindsOf(heard)).toEqual(['speech']);
    expect(heard.speechiness).toBeGreaterThan(0.8);
    expect(findReasonToAbstain(heard.content)).toBe('speech');
  });

  it('noise', () => {
    const heard = listen(NOISE);
    expect(kindsOf(heard)).toEqual(['noise']);
    expect(findReasonToAbstain(heard.content)).toBe('noise');
  });

  it('silence', () => {
    const heard = listen(SILENCE);
    expect(kindsOf(heard)).toEqual(['silence']);
    expect(heard.speechiness).toBeNull();
    expect(findReasonToAbstain(heard.content)).toBeNull();
  });

  it('one after the other, with a border at each change', () => {
    const heard = listen(join(MUSIC, SILENCE, SPEECH, NOISE), BEATS);
    expect(kindsOf(heard)).toEqual(['music', 'silence', 'speech', 'noise']);
    heard.content.regions.forEach(({ startSeconds }, index) => {
      // A window is three seconds long, so a border without silence is found to within two seconds.
      expect(Math.abs(startSeconds - [0, 12, 16, 28][index]!)).toBeLessThanOrEqual(2);
    });
    expect(heard.content.regions.at(-1)!.endSeconds).toBe(40);
    expect(findReasonToAbstain(heard.content)).toBeNull();
  });

  it('a steady pulse counts towards music, an uneven one does not', () => {
    expect(listen(SPEECH, BEATS).speechiness!).toBeLessThan(listen(SPEECH).speechiness!);
    const uneven = BEATS.map((seconds, k) => seconds + (k % 3) * 0.09);
    expect(listen(SPEECH, uneven).speechiness).toBe(listen(SPEECH).speechiness);
  });

  it('does not depend on gain', () => {
    const soft = listen(SPEECH.map((value) => value / 10));
    expect(soft.speechiness).toBeCloseTo(listen(SPEECH).speechiness!, 2);
  });
});

describe('little or plain sound', () => {
  it.each([0, 1, 2.9 * RATE_HZ])('%d samples are too few', (count) => {
    const heard = listen(makeNoise(count, 0.1));
    expect(heard.content.regions).toEqual([]);
    expect(heard.unavailable['content.regions']).toBe('too_short');
  });

  it.each([
    ['a constant', new Float32Array(5 * RATE_HZ).fill(0.5)],
    ['an impulse', makeImpulse(5 * RATE_HZ, 50_000)],
    ['a sine', makeSine(5 * RATE_HZ, 440, RATE_HZ)],
  ])('%s has regions that cover the file without gaps', (_, signal) => {
    const { regions } = listen(signal).content;
    expect([0, ...regions.map(({ endSeconds }) => endSeconds)]).toEqual([
      ...regions.map(({ startSeconds }) => startSeconds),
      5,
    ]);
    for (const { confidence } of regions) {
      expect(confidence).toBeGreaterThanOrEqual(0);
      expect(confidence).toBeLessThanOrEqual(1);
    }
  });
});
