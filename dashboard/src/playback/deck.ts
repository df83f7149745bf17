import type { Loop, Player, PlayerState, Track } from './player.ts';

export type DeckState = Pick<PlayerState, 'playing' | 'silent' | 'loop'> & {
  /** The other song that is in the player; null when the deck's own song is, or none. */
  other: Track | null;
};

/**
 * The player from the point of view of one song's page. While another song is in the player, this one keeps the position where it was left;
 * play, seek and loop on its page load it again in place of the other.
 */
export class Deck {
  readonly #player: Player;
  readonly #track: Track;

  constructor(player: Player, track: Track) {
    this.#player = player;
    this.#track = track;
  }

  get seconds(): number {
    return this.#player.secondsOf(this.#track.id);
  }

  read(): DeckState {
    const { track, playing, silent, loop } = this.#player.read();
    return track?.id === this.#track.id
      ? { playing, silent, loop, other: null }
      : { playing: false, silent: null, loop: null, other: track };
  }

  toggle(): void {
    this.#load();
    this.#player.toggle();
  }

  seek(seconds: number): void {
    this.#load();
    this.#player.seek(seconds);
  }

  setLoop(loop: Loop | null): void {
    this.#load();
    this.#player.setLoop(loop);
  }

  readonly subscribe = (listener: () => void): (() => void) => this.#player.subscribe(listener);

  #load(): void {
    if (this.#player.read().track?.id === this.#track.id) return;
    const { seconds } = this;
    this.#player.load(this.#track);
    this.#player.seek(seconds);
  }
}
