import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { Player } from './player.ts';
import { type FakeAudio, stubAudio } from './test-audio.ts';
import { type Click, stubAudioContext } from './test-audio-context.ts';

let clicks: Click[];
let made: FakeAudio[];
let media: FakeAudio;

/** The start times of the clicks that were not stopped before they sounded. */
const heardSeconds = () =>
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
  expect([heardSeconds(), media.paused]).toEqual([[0, 0.5, 1, 1.5], true]);
  vi.advanceTimersByTime(2_000);
  expect(media.paused).toBe(false);
});

it('counts in at the speed of the song', () => {
  const player = loaded();
  player.setSpeed(0.5);
  player.setCountIn(true);
  player.play();
  expect(heardSeconds()).toEqual([0, 1, 2, 3]);
});

it('a song whose audio is lost during the count-in starts after it', () => {
  const player = loaded();
  player.setCountIn(true);
  player.play();
  media.dispatchEvent(new Event('error'));
  vi.advanceTimersByTime(1_999);
  expect(media.paused).toBe(true);
  vi.advanceTimersByTime(1);
  expect(media.paused).toBe(false);
});

it('is not playing if the browser refuses to play', async () => {
  const player = loaded();
  media.play = () => Promise.reject(new DOMException('', 'NotAllowedError'));
  player.setCountIn(true);
  player.play();
  expect(player.read().playing).toBe(true);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(player.read().playing).toBe(false);
});

it('a pause ends the count-in', () => {
  const player = loaded();
  player.setCountIn(true);
  player.play();
  vi.advanceTimersByTime(700);
  player.pause();
  vi.advanceTimersByTime(2_000);
  expect([heardSeconds(), media.paused]).toEqual([[0, 0.5], true]);
});

it('counts in with beats set before their song was loaded, but not with those of another song', () => {
  const player = newPlayer();
  const beats = [0, 1, 2, 3].map((beat) => ({ time_seconds: beat, beat_in_bar: beat + 1 }));
  player.setBeats('a', beats);
  const track = { title: '', artist: null, durationSeconds: 20, audio: AUDIO, href: null };
  player.setCountIn(true);
  player.load({ ...track, id: 'b' });
  player.play();
  expect([heardSeconds(), media.paused]).toEqual([[], false]);
  player.load({ ...track, id: 'a' });
  player.play();
  expect([heardSeconds(), media.paused]).toEqual([[0, 1, 2, 3], true]);
});

it('the click sounds while it is on, at its volume', () => {
  const player = loaded();
  player.play();
  player.setClick(true, 0.5);
  media.currentTime = 0.45;
  vi.advanceTimersByTime(40);
  player.setClick(false);
  media.currentTime = 0.95;
  vi.advanceTimersByTime(40);
  // The beat at 0.5 s, which is not the first of its bar.
  expect(clicks.map(({ volume }) => volume)).toEqual([0.25]);
  expect(player.read()).toMatchObject({ clickOn: false, clickVolume: 0.5 });
});

it('the file of a song is released when another song is loaded', () => {
  const revoked = vi.spyOn(URL, 'revokeObjectURL');
  onTestFinished(() => revoked.mockRestore());
  const player = newPlayer();
  const track = { title: '', artist: null, durationSeconds: 20, href: null };
  player.load({ ...track, id: 'a', audio: new Blob(['RIFF']) });
  const { src } = media;
  player.load({ ...track, id: 'b', audio: AUDIO });
  expect(revoked.mock.calls).toEqual([[src]]);
});

it('a loop to the end of the song repeats', () => {
  const player = loaded();
  player.setLoop({ startSeconds: 16, endSeconds: 20 });
  player.play();
  // The browser ends 30 ms before the duration that the service decoded.
  media.end(19.97);
  vi.advanceTimersByTime(100);
  expect([media.currentTime, media.paused, player.read().playing]).toEqual([16, false, true]);
});

it('without a loop, playback ends with the song', () => {
  const player = loaded();
  player.play();
  media.end(20);
  expect([media.paused, player.read().playing]).toEqual([true, false]);
});

it('continues over silence at the same position when the audio cannot be loaded, and with audio after a retry', () => {
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

it('audio that plays is not loaded again', () => {
  const player = loaded();
  player.play();
  const restarted = vi.fn();
  media.addEventListener('play', restarted);
  player.loadAgain();
  expect(restarted).not.toHaveBeenCalled();
});

it('audio that was not kept is not tried again', () => {
  const player = newPlayer();
  player.load({ id: 'b', title: 'B', artist: null, durationSeconds: 20, audio: null, href: null });
  const { src } = media;
  player.loadAgain();
  expect([player.read().silent, media.src]).toEqual(['not_kept', src]);
});

it('the loaded song keeps playing when it is loaded again under another name', () => {
  const player = loaded();
  player.play();
  media.currentTime = 7;
  player.load({ id: 'a', title: 'B', artist: 'C', durationSeconds: 20, audio: AUDIO, href: null });
  expect(player.read()).toMatchObject({ track: { title: 'B', artist: 'C' }, playing: true, silent: null });
  expect([media.src, media.currentTime]).toEqual([AUDIO, 7]);
});

it('continues with the click alone after the audio was deleted', () => {
  const player = loaded();
  media.currentTime = 7;
  player.load({ id: 'a', title: 'A', artist: null, durationSeconds: 20, audio: null, href: null });
  expect(player.read().silent).toBe('not_kept');
  expect(media.src).not.toBe(AUDIO);
  expect(media.currentTime).toBe(7);
});

it.each([
  ['missing', async () => new Response(null, { status: 404 }), 'not_kept'],
  ['refused for now', async () => new Response(null, { status: 503 }), 'not_loaded'],
  ['out of reach', () => Promise.reject(new TypeError('Failed to fetch')), 'not_loaded'],
])('says why audio that is %s cannot be heard', async (_, answer, silent) => {
  const fetched = vi.fn(answer);
  vi.stubGlobal('fetch', fetched);
  const player = loaded();
  media.dispatchEvent(new Event('error'));
  await vi.advanceTimersByTimeAsync(0);
  expect(fetched).toHaveBeenCalledWith(AUDIO, { method: 'HEAD' });
  expect(player.read().silent).toBe(silent);
});

it('what becomes known about the audio of a replaced song says nothing about the new one', async () => {
  let answer = (_: Response) => {};
  const late = new Promise<Response>((resolve) => {
    answer = resolve;
  });
  vi.stubGlobal('fetch', vi.fn().mockReturnValueOnce(late).mockRejectedValueOnce(new TypeError()));
  const player = loaded();
  media.dispatchEvent(new Event('error'));
  player.load({ id: 'b', title: 'B', artist: null, durationSeconds: 20, audio: '/b', href: null });
  media.dispatchEvent(new Event('error'));
  answer(new Response(null, { status: 404 }));
  await vi.advanceTimersByTimeAsync(0);
  expect(player.read().silent).toBe('not_loaded');
});

it.each([
  [-3, 0],
  [7, 7],
  // The song is 20 s long; at its very end it would be over.
  [20, 19.95],
  [99, 19.95],
])('a seek to %d s goes to %d s', (seconds, positionSeconds) => {
  const player = loaded();
  player.seek(seconds);
  expect(media.currentTime).toBe(positionSeconds);
});

it.each([
  [0.1, 0.5],
  [0.8, 0.8],
  [9, 1.5],
])('a speed of %d is set to %d, and stays for the next song', (ratio, speedRatio) => {
  const player = loaded();
  player.setSpeed(ratio);
  expect([player.read().speedRatio, media.playbackRate]).toEqual([speedRatio, speedRatio]);
  media.playbackRate = 1;
  player.load({ id: 'b', title: 'B', artist: null, durationSeconds: 20, audio: AUDIO, href: null });
  expect(media.playbackRate).toBe(speedRatio);
});

it.each([
  [3, 3],
  [1.9, 2],
  [4, 2],
])('a loop from 2 s to 4 s that is set at %d s continues at %d s', (seconds, positionSeconds) => {
  const player = loaded();
  media.currentTime = seconds;
  player.setLoop({ startSeconds: 2, endSeconds: 4 });
  expect(media.currentTime).toBe(positionSeconds);
});

it('a loop repeats at its end, between two time updates too', () => {
  const player = loaded();
  player.setLoop({ startSeconds: 2, endSeconds: 4 });
  player.setSpeed(0.5);
  player.play();
  media.currentTime = 4.1;
  media.dispatchEvent(new Event('timeupdate'));
  expect(media.currentTime).toBe(2);
  // 0.1 s of the song are 0.2 s at half speed; a timer jumps then.
  media.currentTime = 3.9;
  media.dispatchEvent(new Event('timeupdate'));
  vi.advanceTimersByTime(199);
  expect(media.currentTime).toBe(3.9);
  media.currentTime = 3.99;
  vi.advanceTimersByTime(1);
  expect(media.currentTime).toBe(2);
});

it('a loop does not jump back after a seek away from its end', () => {
  const player = loaded();
  player.setLoop({ startSeconds: 2, endSeconds: 4 });
  player.play();
  media.currentTime = 3.9;
  media.dispatchEvent(new Event('timeupdate'));
  player.seek(2.5);
  vi.advanceTimersByTime(1_000);
  expect(media.currentTime).toBe(2.5);
});

it('a loop does not jump back during a pause, neither at its end nor after a seek beyond', () => {
  const player = loaded();
  player.setLoop({ startSeconds: 2, endSeconds: 4 });
  player.play();
  media.currentTime = 3.9;
  media.dispatchEvent(new Event('timeupdate'));
  media.currentTime = 3.99;
  player.pause();
  vi.advanceTimersByTime(1_000);
  expect(media.currentTime).toBe(3.99);
  player.seek(6);
  media.dispatchEvent(new Event('timeupdate'));
  expect(media.currentTime).toBe(6);
});

it('a mix starts both songs in the middle of the crossfader, and ends when another song is loaded', () => {
  const player = loaded();
  const song = {
    id: 'b',
    title: 'B',
    audio: '/b',
    alignment: { ratio: 1, firstAnchorSeconds: 0, secondAnchorSeconds: 0 },
  };
  player.setFade(1);
  expect([player.read().mix, media.volume]).toEqual([null, 1]);
  player.mixWith(song);
  expect(player.read().mix).toEqual({ song, fadeFraction: 0.5 });
  expect(made.map(({ paused }) => paused)).toEqual([false, false]);
  player.setFade(0);
  expect(made.map(({ volume }) => volume)).toEqual([1, 0]);
  player.load({ id: 'c', title: 'C', artist: null, durationSeconds: 20, audio: AUDIO, href: null });
  expect([player.read().mix, made[1]!.paused]).toEqual([null, true]);
});
