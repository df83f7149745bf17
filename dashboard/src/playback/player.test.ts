import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Player } from './player.ts';
import { type FakeAudio, stubAudio } from './test-audio.ts';
import { type Click, stubAudioContext } from './test-audio-context.ts';

let clicks: Click[];
let made: FakeAudio[];
let media: FakeAudio;

/** Those that are heard at all. */
const heard = () =>
  clicks.filter(({ atSeconds, untilSeconds }) => untilSeconds > atSeconds).map(({ atSeconds }) => atSeconds);

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  clicks = stubAudioContext();
  made = stubAudio();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const AUDIO = '/v1/analyses/a/artifacts/source';

function newPlayer(): Player {
  const player = new Player();
  media = made[0]!;
  return player;
}

function loaded(): Player {
  const player = newPlayer();
  player.load({ id: 'a', title: 'A', artist: null, durationSeconds: 20, audio: AUDIO, href: null });
  player.setBeats(
    'a',
    Array.from({ length: 40 }, (_, beat) => ({ time_seconds: beat / 2, beat_in_bar: (beat % 4) + 1 })),
  );
  return player;
}

it('counts in a bar, then plays', () => {
  const player = loaded();
  player.setCountIn(true);
  player.play();
  expect([heard(), media.paused]).toEqual([[0, 0.5, 1, 1.5], true]);
  vi.advanceTimersByTime(2_000);
  expect(media.paused).toBe(false);
});

it('a pause ends the count-in, too', () => {
  const player = loaded();
  player.setCountIn(true);
  player.play();
  vi.advanceTimersByTime(700);
  player.pause();
  vi.advanceTimersByTime(2_000);
  expect([heard(), media.paused]).toEqual([[0, 0.5], true]);
});

it('counts in beats that were told before their song was in it, and none of another song', () => {
  const player = newPlayer();
  const beats = [0, 1, 2, 3].map((beat) => ({ time_seconds: beat, beat_in_bar: beat + 1 }));
  player.setBeats('a', beats);
  const track = { title: '', artist: null, durationSeconds: 20, audio: AUDIO, href: null };
  player.setCountIn(true);
  player.load({ ...track, id: 'b' });
  player.play();
  expect([heard(), media.paused]).toEqual([[], false]);
  player.load({ ...track, id: 'a' });
  player.play();
  expect([heard(), media.paused]).toEqual([[0, 1, 2, 3], true]);
});

it('a loop that ends with the song goes on', () => {
  const player = loaded();
  player.setLoop({ startSeconds: 16, endSeconds: 20 });
  player.play();
  // The file is a little shorter than what was decoded of it.
  media.end(19.97);
  vi.advanceTimersByTime(100);
  expect([media.currentTime, media.paused, player.read().playing]).toEqual([16, false, true]);
});

it('without a loop the end is the end', () => {
  const player = loaded();
  player.play();
  media.end(20);
  expect([media.paused, player.read().playing]).toEqual([true, false]);
});

it('goes on over silence from where it was when the audio cannot be loaded, and back to it when it is tried again', () => {
  const player = loaded();
  player.play();
  media.currentTime = 7;
  media.dispatchEvent(new Event('error'));
  expect(player.read()).toMatchObject({ silent: 'not_loaded', playing: true });
  expect([media.paused, media.currentTime, media.src.startsWith('blob:')]).toEqual([false, 7, true]);
  media.currentTime = 9;
  player.loadAgain();
  expect(player.read()).toMatchObject({ silent: null, playing: true });
  expect([media.paused, media.currentTime, media.src]).toEqual([false, 9, AUDIO]);
});

it('of audio that was not kept there is nothing to try again', () => {
  const player = newPlayer();
  player.load({ id: 'b', title: 'B', artist: null, durationSeconds: 20, audio: null, href: null });
  const { src } = media;
  player.loadAgain();
  expect([player.read().silent, media.src]).toEqual(['not_kept', src]);
});

it('the same song again goes on where it was, under the name that it has now', () => {
  const player = loaded();
  player.play();
  media.currentTime = 7;
  player.load({ id: 'a', title: 'B', artist: 'C', durationSeconds: 20, audio: AUDIO, href: null });
  expect(player.read()).toMatchObject({ track: { title: 'B', artist: 'C' }, playing: true, silent: null });
  expect([media.src, media.currentTime]).toEqual([AUDIO, 7]);
});

it('plays the click alone from there on when the audio was deleted', () => {
  const player = loaded();
  media.currentTime = 7;
  player.load({ id: 'a', title: 'A', artist: null, durationSeconds: 20, audio: null, href: null });
  expect(player.read().silent).toBe('not_kept');
  expect([media.src, media.currentTime]).not.toContain(AUDIO);
  expect(media.currentTime).toBe(7);
});

it.each([
  ['not there', async () => new Response(null, { status: 404 }), 'not_kept'],
  ['refused for now', async () => new Response(null, { status: 503 }), 'not_loaded'],
  ['out of reach', () => Promise.reject(new TypeError('Failed to fetch')), 'not_loaded'],
])('audio that is %s is told as such', async (_, answer, silent) => {
  const fetched = vi.fn(answer);
  vi.stubGlobal('fetch', fetched);
  const player = loaded();
  media.dispatchEvent(new Event('error'));
  await vi.advanceTimersByTimeAsync(0);
  expect(fetched).toHaveBeenCalledWith(AUDIO, { method: 'HEAD' });
  expect(player.read().silent).toBe(silent);
});
