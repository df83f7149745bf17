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

/** The times of the clicks while playing for `seconds`; `positionAt` gives the playback position at each moment, all in seconds. */
function clicksOf(seconds: number, positionAt: (nowSeconds: number) => number): number[] {
  const media = {
    paused: false,
    playbackRate: 1,
    get currentTime() {
      return positionAt(Date.now() / 1000);
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

it('clicks in every pass of a short loop', () => {
  // Loops from 1.2 s to 1.7 s: the beat at 1.5 s comes every half second.
  expect(clicksOf(2.2, (now) => 1.2 + (now % 0.5))).toEqual([0.3, 0.8, 1.3, 1.8, 2.3]);
});

it('continues after a seek forward', () => {
  expect(clicksOf(1.2, (now) => (now < 0.5 ? now : now + 10) + 0.2)).toEqual([0.3, 0.8, 1.3]);
});

it('does not click on beats that a short seek forward skips', () => {
  // Skips the beats at 1 s and 1.5 s of the song.
  expect(clicksOf(1.2, (now) => (now < 0.5 ? now : now + 0.9) + 0.2)).toEqual([0.3, 0.9]);
});

it('clicks on the beat on which playback starts, at the highest speed too', () => {
  const media = { paused: false, playbackRate: 1.5, currentTime: 0 };
  const track = new ClickTrack(media as HTMLMediaElement);
  track.beats = BEATS;
  track.start();
  // The first tick, after 40 ms.
  media.currentTime = 0.06;
  vi.advanceTimersByTime(40);
  track.stop();
  expect(clicks.map(({ atSeconds }) => atSeconds)).toEqual([0.04]);
});

it('clicks once on every beat when it is started again while it runs', () => {
  const media = { paused: false, playbackRate: 1, currentTime: 0.4 };
  const track = new ClickTrack(media as HTMLMediaElement);
  track.beats = BEATS;
  track.start();
  vi.advanceTimersByTime(40);
  track.start();
  vi.advanceTimersByTime(40);
  track.stop();
  expect(clicks).toHaveLength(1);
});

it('clicks at the volume that is set, softer on the other beats than on the first of a bar', () => {
  const track = new ClickTrack({ paused: true } as HTMLMediaElement);
  track.volume = 0.5;
  track.countIn(2, 0.4);
  expect(clicks.map(({ volume }) => volume)).toEqual([0.4, 0.25]);
});

it('schedules at the speed of playback, higher on the first beat of a bar', () => {
  const media = { paused: false, playbackRate: 0.5, currentTime: 1.95 };
  const track = new ClickTrack(media as HTMLMediaElement);
  track.beats = BEATS;
  track.start();
  vi.advanceTimersByTime(40);
  track.stop();
  // The beat at 2 s, a downbeat, is 0.05 s of the song and 0.1 s of time away at the first tick.
  expect(clicks.map(({ frequencyHz }) => frequencyHz)).toEqual([1_760]);
  expect(clicks[0]?.atSeconds).toBeCloseTo(0.04 + 0.1, 9);
});

it('is silent while the song is paused, and after it was stopped', () => {
  const media = { paused: true, playbackRate: 1, currentTime: 0.45 };
  const track = new ClickTrack(media as HTMLMediaElement);
  track.beats = BEATS;
  track.start();
  vi.advanceTimersByTime(200);
  track.stop();
  media.paused = false;
  vi.advanceTimersByTime(200);
  expect(clicks).toEqual([]);
});

it('counts in one bar, of which the first beat is higher', () => {
  const track = new ClickTrack({ paused: true } as HTMLMediaElement);
  expect(track.countIn(3, 0.4)).toBeCloseTo(1.2, 9);
  expect(clicks.map(({ frequencyHz }) => frequencyHz)).toEqual([1_760, 1_100, 1_100]);
  expect(clicks.map(({ atSeconds }) => atSeconds)).toEqual([0, 0.4, 0.8]);
});
