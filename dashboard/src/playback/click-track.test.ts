import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ClickTrack } from './click-track.ts';
import { type Click, stubAudioContext } from './test-audio-context.ts';

let clicks: Click[];
beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  clicks = stubAudioContext();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const BEATS = Array.from({ length: 40 }, (_, beat) => ({
  time_seconds: beat / 2,
  beat_in_bar: (beat % 4) + 1,
}));

/** Plays for so long; `place` says where in the song it is at each moment. */
function clicksOf(seconds: number, place: (nowSeconds: number) => number): number[] {
  const media = {
    paused: false,
    playbackRate: 1,
    get currentTime() {
      return place(Date.now() / 1000);
    },
  };
  const track = new ClickTrack(media as HTMLMediaElement);
  track.beats = BEATS;
  track.start();
  vi.advanceTimersByTime(seconds * 1000);
  track.stop();
  return clicks.map(({ atSeconds }) => Math.round(atSeconds * 100) / 100);
}

it('clicks once on every beat', () => {
  expect(clicksOf(2.2, (now) => 0.2 + now)).toEqual([0.3, 0.8, 1.3, 1.8, 2.3]);
});

it('clicks in every round of a loop, however short', () => {
  // From 1.2 s to 1.7 s and back: the beat at 1.5 s comes each half second.
  expect(clicksOf(2.2, (now) => 1.2 + (now % 0.5))).toEqual([0.3, 0.8, 1.3, 1.8, 2.3]);
});

it('goes on after a jump ahead', () => {
  expect(clicksOf(1.2, (now) => (now < 0.5 ? now : now + 10) + 0.2)).toEqual([0.3, 0.8, 1.3]);
});
