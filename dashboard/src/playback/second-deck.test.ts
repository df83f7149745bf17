import { beforeEach, expect, it, vi } from 'vitest';
import { SecondDeck } from './second-deck.ts';
import { FakeAudio, stubAudio } from './test-audio.ts';

/** The downbeat at 2 s of the second song, played at 0.96 of its speed, falls on the one at 0.5 s of the first. */
const SONG = {
  id: 'b',
  title: 'B',
  audio: '/b',
  alignment: { ratio: 0.96, firstAnchorSeconds: 0.5, secondAnchorSeconds: 2 },
};

let first: FakeAudio;
let second: FakeAudio;
let deck: SecondDeck;

beforeEach(() => {
  const made = stubAudio();
  first = new FakeAudio();
  deck = new SecondDeck(first as unknown as HTMLMediaElement);
  second = made[0]!;
  return () => vi.unstubAllGlobals();
});

it('plays and pauses with the first song, at its tempo', async () => {
  first.playbackRate = 0.5;
  deck.load(SONG, 0.5);
  expect([second.src, second.paused, second.playbackRate]).toEqual(['/b', true, 0.48]);
  await first.play();
  expect(second.paused).toBe(false);
  first.playbackRate = 1;
  first.dispatchEvent(new Event('ratechange'));
  expect(second.playbackRate).toBe(0.96);
  first.pause();
  expect(second.paused).toBe(true);
});

it('seeks to the position that is aligned with the first song', () => {
  deck.load(SONG, 0.5);
  first.currentTime = 10.5;
  first.dispatchEvent(new Event('seeked'));
  // Ten seconds after the first downbeat are 9.6 s of the second song.
  expect(second.currentTime).toBeCloseTo(11.6, 9);
});

it.each([
  // 40 ms is the most that two beats may be apart.
  [0.039, 0.039],
  [0.041, 0],
])('a drift of %d s becomes %d s', (driftSeconds, leftSeconds) => {
  deck.load(SONG, 0.5);
  first.currentTime = 10.5;
  second.currentTime = 11.6 + driftSeconds;
  first.dispatchEvent(new Event('timeupdate'));
  expect(second.currentTime - 11.6).toBeCloseTo(leftSeconds, 9);
});

it('is silent before the second song begins and after it ends', async () => {
  const alignment = { ratio: 1, firstAnchorSeconds: 5, secondAnchorSeconds: 0 };
  deck.load({ ...SONG, alignment }, 0.5);
  second.duration = 10;
  await first.play();
  const isPlayingAt = (seconds: number) => {
    first.currentTime = seconds;
    first.dispatchEvent(new Event('timeupdate'));
    return !second.paused;
  };
  expect([4.9, 5, 15, 15.1].map(isPlayingAt)).toEqual([false, true, true, false]);
});

it('gives the first song its volume back when it is ejected, and leaves it alone after', async () => {
  deck.load(SONG, 1);
  // The cosine of 90 degrees, but for rounding.
  expect(first.volume).toBeCloseTo(0, 9);
  expect(second.volume).toBe(1);
  deck.eject();
  await first.play();
  expect([first.volume, second.src, second.paused]).toEqual([1, '', true]);
});
