import { expect, it } from 'vitest';
import { findSound } from './sound-span.ts';

/** One band, 50 frames a second. */
function melOf(levels: readonly number[]) {
  return { data: Float32Array.from(levels), frameCount: levels.length, binCount: 1, frameRateHz: 50 };
}
const repeat = (count: number, level: number) => Array<number>(count).fill(level);

it('is the part between silence at both ends', () => {
  const mel = melOf([...repeat(50, 0), ...repeat(100, 1), ...repeat(25, 0)]);
  expect(findSound(mel, 3.5)).toEqual({ startSeconds: 1, endSeconds: 3 });
});

it('ends where a fade is 45 dB below the whole', () => {
  // 2 dB a frame: the 22nd frame is 44 dB down, the 23rd 46 dB.
  const fade = Array.from({ length: 50 }, (_, index) => 10 ** (-(index + 1) / 10));
  const mel = melOf([...repeat(1000, 1), ...fade]);
  expect(findSound(mel, 21)!.endSeconds).toBeCloseTo((1000 + 22) / 50, 9);
});

it('ends with the audio, before the end of its last frame', () => {
  expect(findSound(melOf(repeat(601, 1)), 12.005)).toEqual({ startSeconds: 0, endSeconds: 12.005 });
});

it('does not include steady noise before the music', () => {
  // 41 dB below the music: loud enough to count as sound if it varied as the music does, by 10 dB from frame to frame.
  const music = Array.from({ length: 5000 }, (_, frame) => (frame % 2 === 0 ? 1 : 10 ** 0.5));
  const steady = melOf([...repeat(600, 0.02), ...music]);
  expect(findSound(steady, 112)).toEqual({ startSeconds: 12, endSeconds: 112 });
  const varying = melOf([...music.slice(0, 600).map((level) => 0.02 * level), ...music]);
  expect(findSound(varying, 112)).toEqual({ startSeconds: 0, endSeconds: 112 });
});

it('is null in silence', () => {
  expect(findSound(melOf(repeat(100, 0)), 2)).toBeNull();
  expect(findSound(melOf([]), 0)).toBeNull();
});
