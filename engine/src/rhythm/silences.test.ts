import { describe, expect, it } from 'vitest';
import { findSilences, findSoundingSpans, markSound } from './silences.ts';

/** One band at 50 frames a second: stretches of a level, by their length in seconds. */
function melOf(...stretches: [seconds: number, level: number][]) {
  const data = Float32Array.from(stretches.flatMap(([seconds, level]) => Array(50 * seconds).fill(level)));
  return { data, frameCount: data.length, binCount: 1, frameRateHz: 50 };
}

/** In seconds. */
const spansOf = (spans: readonly { startFrame: number; endFrame: number }[]) =>
  spans.map(({ startFrame, endFrame }) => [startFrame / 50, endFrame / 50]);

describe('markSound', () => {
  it('marks the frames above a level relative to the mean power', () => {
    // The mean power is half of the loudest, so 20 dB below it is an amplitude of √0.005 = 0.0707.
    expect([...markSound(melOf([1, 1], [0.5, 0.071], [0.5, 0.0707]), -20)]).toEqual([
      ...Array(75).fill(1),
      ...Array(25).fill(0),
    ]);
  });

  it('marks none in silence, and returns nothing for no frames', () => {
    expect([...markSound(melOf([1, 0]), -60)]).toEqual(Array(50).fill(0));
    expect(markSound(melOf(), -60)).toHaveLength(0);
  });
});

describe('findSilences', () => {
  it('lists those that last long enough, also at either end', () => {
    const mel = melOf([5, 0], [10, 1], [4, 0], [10, 1], [6, 0], [10, 1], [5, 0]);
    expect(spansOf(findSilences(mel, -60, 5))).toEqual([
      [0, 5],
      [29, 35],
      [45, 50],
    ]);
  });

  it('is the whole recording when nothing sounds', () => {
    expect(spansOf(findSilences(melOf([20, 0]), -60, 5))).toEqual([[0, 20]]);
  });
});

describe('findSoundingSpans', () => {
  it('leaves out the inside of silences of two minutes, except for half a minute next to sound', () => {
    expect(spansOf(findSoundingSpans(melOf([3, 1], [150, 0], [3, 1], [150, 0])))).toEqual([
      [0, 33],
      [123, 186],
    ]);
    expect(spansOf(findSoundingSpans(melOf([120, 0], [3, 1])))).toEqual([[90, 123]]);
  });

  it('keeps shorter silences, and sound that is not 80 dB below the mean', () => {
    expect(spansOf(findSoundingSpans(melOf([3, 1], [119, 0])))).toEqual([[0, 122]]);
    // 3 s of 153 s at full level: a mean power of 0.02 and a threshold of 1.4e-5.
    expect(spansOf(findSoundingSpans(melOf([3, 1], [150, 1.5e-5])))).toEqual([[0, 153]]);
    expect(spansOf(findSoundingSpans(melOf([3, 1], [150, 1.3e-5])))).toEqual([[0, 33]]);
  });

  it('is empty in silence and without frames', () => {
    expect(findSoundingSpans(melOf([130, 0]))).toEqual([]);
    expect(findSoundingSpans(melOf())).toEqual([]);
  });
});
