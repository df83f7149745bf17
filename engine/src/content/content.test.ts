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
    // Both are the mean probability of speech, here of the same seconds.
    expect(heard.content.regions[0]!.confidence).toBeCloseTo(heard.speechiness!, 12);
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
    expect(heard.content.regions[0]!.confidence).toBe(1);
    expect(heard.speechiness).toBeNull();
    expect(heard.unavailable).toEqual({ speechiness: 'silence' });
    expect(findReasonToAbstain(heard.content)).toBeNull();
  });

  it('one after the other, with a boundary at each change', () => {
    const heard = listen(join(MUSIC, SILENCE, SPEECH, NOISE), BEATS);
    expect(kindsOf(heard)).toEqual(['music', 'silence', 'speech', 'noise']);
    heard.content.regions.forEach(({ startSeconds }, index) => {
      // A window is three seconds long, so a boundary without silence is found to within two seconds.
      expect(Math.abs(startSeconds - [0, 12, 16, 28][index]!)).toBeLessThanOrEqual(2);
    });
    expect(heard.content.regions.at(-1)!.endSeconds).toBe(40);
    expect(findReasonToAbstain(heard.content)).toBeNull();
  });

  it.each([
    ['even', [0.5, 0.5], true],
    ['that differ by 3 % of their mean', [0.515, 0.485], true],
    ['that differ by 5 % of their mean', [0.525, 0.475], false],
    // A window of three seconds with a second on either side holds four intervals of 1.25 s, but only three of 1.27 s.
    ['up to 1.25 s apart', [1.25, 1.25], true],
    ['further apart', [1.27, 1.27], false],
  ])('beats %s count towards music: %j seconds, %s', (_, intervalsSeconds, isSteady) => {
    const beats = [0];
    while (beats.at(-1)! < 12) beats.push(beats.at(-1)! + intervalsSeconds[beats.length % 2]!);
    const { speechiness } = listen(SPEECH, beats);
    const withoutPulse = listen(SPEECH).speechiness!;
    if (isSteady) expect(speechiness).toBeLessThan(withoutPulse);
    else expect(speechiness).toBe(withoutPulse);
  });

  it('depends little on gain', () => {
    const soft = listen(SPEECH.map((value) => value / 10));
    // Only the threshold of silence and the floor of logarithms do not scale with the signal.
    expect(soft.speechiness).toBeCloseTo(listen(SPEECH).speechiness!, 2);
  });
});

describe('short or simple sound', () => {
  it.each([0, 1, 2.9 * RATE_HZ])('%d samples are too few', (count) => {
    const heard = listen(makeNoise(count, 0.1));
    expect(heard.content.regions).toEqual([]);
    expect(heard.unavailable).toEqual({ 'content.regions': 'too_short', speechiness: 'too_short' });
  });

  it('three seconds suffice', () => {
    expect(listen(makeNoise(3 * RATE_HZ, 0.1)).content.regions).toHaveLength(1);
  });

  it('a second of sound is a region, between silences and at either end', () => {
    const second = new Float32Array(RATE_HZ);
    // Frames reach a little beyond the sound, so it ends before the second does.
    second.set(makeNoise(0.8 * RATE_HZ, 0.2), 0.1 * RATE_HZ);
    const { regions } = listen(join(second, SILENCE, second, SILENCE, second)).content;
    expect(regions.map(({ kind, startSeconds }) => [kind === 'silence', startSeconds])).toEqual([
      [false, 0],
      [true, 1],
      [false, 5],
      [true, 6],
      [false, 10],
    ]);
  });

  it('noise is silence at -76 dBFS, and not at -74', () => {
    // The RMS of uniform noise is its amplitude over √3.
    const kindsAt = (levelDbfs: number) =>
      kindsOf(listen(makeNoise(5 * RATE_HZ, Math.sqrt(3) * 10 ** (levelDbfs / 20))));
    expect(kindsAt(-76)).toEqual(['silence']);
    expect(kindsAt(-74)).not.toContain('silence');
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
