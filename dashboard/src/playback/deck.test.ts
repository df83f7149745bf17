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
/** The page is that of song `a`. */
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

/** Song `a` was left at 7 s, and `b` is at 3 s of a loop. */
function playOther(): void {
  player.load(trackOf('a'));
  media.currentTime = 7;
  player.load(trackOf('b'));
  player.play();
  player.setLoop({ startSeconds: 2, endSeconds: 4 });
  media.currentTime = 3;
}

it('is where the player is, and plays and loops as it does, while its song is in there', () => {
  player.load(trackOf('a'));
  player.play();
  player.setLoop({ startSeconds: 2, endSeconds: 4 });
  media.currentTime = 3;
  expect(deck.seconds).toBe(3);
  const loop = { startSeconds: 2, endSeconds: 4 };
  expect(deck.read()).toEqual({ playing: true, silent: null, loop, other: null });
});

it('stays where its song was left while another one plays, and names that one', () => {
  playOther();
  expect(deck.seconds).toBe(7);
  expect(deck.read()).toEqual({ playing: false, silent: null, loop: null, other: trackOf('b') });
  player.load(trackOf('c'));
  expect([deck.seconds, deck.read().other?.id]).toEqual([7, 'c']);
});

it('is at the start of a song that was not in the player yet', () => {
  player.load(trackOf('b'));
  media.currentTime = 3;
  expect(deck.seconds).toBe(0);
});

it('has no other song beside it while the player is empty', () => {
  expect([deck.seconds, deck.read().other]).toEqual([0, null]);
});

const inThePlayer = () => ({ id: player.read().track?.id, seconds: media.currentTime, paused: media.paused });

it('plays its own song from where it was left, and ends the other one', () => {
  playOther();
  deck.toggle();
  expect(inThePlayer()).toEqual({ id: 'a', seconds: 7, paused: false });
  expect(deck.read().loop).toBeNull();
  deck.toggle();
  expect(inThePlayer()).toEqual({ id: 'a', seconds: 7, paused: true });
});

it('is sought and looped in its own song', () => {
  playOther();
  deck.seek(12);
  expect(inThePlayer()).toEqual({ id: 'a', seconds: 12, paused: true });
  playOther();
  deck.setLoop({ startSeconds: 5, endSeconds: 10 });
  expect(inThePlayer()).toEqual({ id: 'a', seconds: 7, paused: true });
  expect(deck.read().loop).toEqual({ startSeconds: 5, endSeconds: 10 });
});

it('a song that is played again from elsewhere begins at its start', () => {
  playOther();
  player.load(trackOf('a'));
  expect(deck.seconds).toBe(0);
});
