import { vi } from 'vitest';

/** As much of HTMLAudioElement as the player needs. As in HTML, setting a source stops playback without an event. */
export class FakeAudio extends EventTarget {
  paused = true;
  currentTime = 0;
  playbackRate = 1;
  volume = 1;
  /** NaN until the metadata is loaded. */
  duration = Number.NaN;
  #src = '';
  get src() {
    return this.#src;
  }
  set src(src: string) {
    this.#src = src;
    this.paused = true;
    this.currentTime = 0;
  }
  removeAttribute(name: string) {
    if (name === 'src') this.src = '';
  }
  async play() {
    this.paused = false;
    this.dispatchEvent(new Event('play'));
  }
  pause() {
    if (this.paused) return;
    this.paused = true;
    this.dispatchEvent(new Event('pause'));
  }
  /** Plays to its end, at `seconds`. */
  end(seconds: number) {
    this.currentTime = seconds;
    this.dispatchEvent(new Event('timeupdate'));
    this.pause();
    this.dispatchEvent(new Event('ended'));
  }
}

/** Stubs Audio. Returns a list that fills with the elements that are made, the player's own first. */
export function stubAudio(): FakeAudio[] {
  const made: FakeAudio[] = [];
  vi.stubGlobal(
    'Audio',
    class extends FakeAudio {
      constructor() {
        super();
        made.push(this);
      }
    },
  );
  return made;
}
