import { type Alignment, alignedSeconds, fadeVolumes } from '../music/mixing.ts';

export type SecondSong = { id: string; title: string; audio: string; alignment: Alignment };

/** Beats further apart than this are heard as two. Chosen by ear. */
const DRIFT_SECONDS_MAX = 0.04;

/** The second song of a mix: it plays, pauses and seeks with the first, at the first's tempo, with a crossfade between them. */
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
    // The duration is NaN until the metadata is loaded, and NaN compares as false.
    const isWithinSong = wantedSeconds >= 0 && !(wantedSeconds > this.#media.duration);
    if (isWithinSong && Math.abs(this.#media.currentTime - wantedSeconds) > DRIFT_SECONDS_MAX) {
      this.#media.currentTime = wantedSeconds;
    }
    if (this.#first.paused || !isWithinSong) this.#media.pause();
    // A browser that refuses to play refuses the first song too, which reports it; a second song that cannot be loaded stays silent.
    else if (this.#media.paused) this.#media.play().catch(() => {});
  }
}
