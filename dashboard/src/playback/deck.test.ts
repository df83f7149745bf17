import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Deck } from './deck.ts';
import { Player } from './player.ts';
import { type FakeAudio, stubAudio } from './test-audio.ts';

const trackOf = (id: string) => ({
  id,
  title: id.toUpperCase(),
  artist: null,
  durationSeconds: 20,
  audio: `/${id}`,
  href: null,
});

let player: Player;
/** The deck of song `a`. */
let deck: Deck;
let media: FakeAudio;

beforeEach(() => {
  const made = stubAudio();
  player = new Player();
  media = made[0]!;
  deck = new Deck(player, trackOf('a'));
  return () => vi.unstubAllGlobals();
});
afterEach(() => player.pause());

/** Leaves song `a` at 7 s and plays `b` in a loop, at 3 s. */
function playOther(): void {
  player.load(trackOf('a'));
  media.currentTime = 7;
  player.load(trackOf('b'));
  player.play();
  player.setLoop({ startSeconds: 2, endSeconds: 4 });
  media.currentTime = 3;
}

it('follows the player while its song is loaded', () => {
  player.load(trackOf('a'));
  player.play();
  player.setLoop({ startSeconds: 2, endSeconds: 4 });
  media.currentTime = 3;
  expect(deck.seconds).toBe(3);
  const loop = { startSeconds: 2, endSeconds: 4 };
  expect(deck.read()).toEqual({ playing: true, silent: null, loop, other: null });
});

it('keeps the position of its song while another one plays, and names that one', () => {
  playOther();
  expect(deck.seconds).toBe(7);
  expect(deck.read()).toEqual({ playing: false, silent: null, loop: null, other: trackOf('b') });
  player.load(trackOf('c'));
  expect([deck.seconds, deck.read().other?.id]).toEqual([7, 'c']);
});

it('is at the start of a song that was never loaded', () => {
  player.load(trackOf('b'));
  media.currentTime = 3;
  expect(deck.seconds).toBe(0);
});

it('has no other song while the player is empty', () => {
  expect([deck.seconds, deck.read().other]).toEqual([0, null]);
});

const inThePlayer = () => ({ id: player.read().track?.id, seconds: media.currentTime, paused: media.paused });

it('plays its own song from where it was left, in place of the other', () => {
  playOther();
  deck.toggle();
  expect(inThePlayer()).toEqual({ id: 'a', seconds: 7, paused: false });
  expect(deck.read().loop).toBeNull();
  deck.toggle();
  expect(inThePlayer()).toEqual({ id: 'a', seconds: 7, paused: true });
});

it('seeks and loops in its own song', () => {
  playOther();
  deck.seek(12);
  expect(inThePlayer()).toEqual({ id: 'a', seconds: 12, paused: true });
  playOther();
  deck.setLoop({ startSeconds: 5, endSeconds: 10 });
  expect(inThePlayer()).toEqual({ id: 'a', seconds: 7, paused: true });
  expect(deck.read().loop).toEqual({ startSeconds: 5, endSeconds: 10 });
});

it('a song that is loaded again from another page begins at its start', () => {
  playOther();
  player.load(trackOf('a'));
  expect(deck.seconds).toBe(0);
});
