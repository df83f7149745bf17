import type { Loop, Player, PlayerState, Track } from './player.ts';

export type DeckState = Pick<PlayerState, 'playing' | 'silent' | 'loop'> & {
  /** What is in the player in place of the song of the deck; null where it has that, or none. */
  other: Track | null;
};

/**
 * The player as the page of one song has it, for that song alone. While another one is in the player, this one stays where it was left;
 * what is pressed on its page puts it back in, and the other one ends.
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
    this.#putIn();
    this.#player.toggle();
  }

  seek(seconds: number): void {
    this.#putIn();
    this.#player.seek(seconds);
  }

  setLoop(loop: Loop | null): void {
    this.#putIn();
    this.#player.setLoop(loop);
  }

  readonly subscribe = (listener: () => void): (() => void) => this.#player.subscribe(listener);

  #putIn(): void {
    if (this.#player.read().track?.id === this.#track.id) return;
    const { seconds } = this;
    this.#player.load(this.#track);
    this.#player.seek(seconds);
  }
}
