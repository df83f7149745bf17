import { type Alignment, alignedSeconds, fadeVolumes } from '../music/mixing.ts';

export type SecondSong = { id: string; title: string; audio: string; alignment: Alignment };

/** Further apart than this, two beats are heard as two: by ear. */
const DRIFT_SECONDS_MAX = 0.04;

/** The other song of a mix: it plays, stops and jumps with the first, at its tempo, and is faded against it. */
export class SecondDeck {
  readonly #first: HTMLMediaElement;
  readonly #media = new Audio();
  #song: SecondSong | null = null;

  constructor(first: HTMLMediaElement) {
    this.#first = first;
    this.#media.preservesPitch = true;
    for (const event of ['play', 'pause', 'seeked', 'ratechange', 'timeupdate']) {
      first.addEventListener(event, () => this.#follow());
    }
  }

  load(song: SecondSong, fadeFraction: number): void {
    this.#song = song;
    this.#media.src = song.audio;
    this.fade(fadeFraction);
    this.#follow();
  }

  /** 0: the first song alone; 1: the second alone. */
  fade(fadeFraction: number): void {
    [this.#first.volume, this.#media.volume] = fadeVolumes(fadeFraction);
  }

  eject(): void {
    this.#song = null;
    this.#media.pause();
    this.#media.removeAttribute('src');
    this.#first.volume = 1;
  }

  #follow(): void {
    if (!this.#song) return;
    const { alignment } = this.#song;
    this.#media.playbackRate = this.#first.playbackRate * alignment.ratio;
    const wantedSeconds = alignedSeconds(this.#first.currentTime, alignment);
    // Until it is loaded, nobody knows how long it is: NaN.
    const there = wantedSeconds >= 0 && !(wantedSeconds > this.#media.duration);
    if (there && Math.abs(this.#media.currentTime - wantedSeconds) > DRIFT_SECONDS_MAX) {
      this.#media.currentTime = wantedSeconds;
    }
    if (this.#first.paused || !there) this.#media.pause();
    // What keeps a browser from playing keeps it from playing the first song, too, and is told there.
    else if (this.#media.paused) this.#media.play().catch(() => {});
  }
}
