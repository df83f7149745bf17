import { vi } from 'vitest';

/** As far as a player needs it: a new source stops it without a word, as HTML has it. */
export class FakeAudio extends EventTarget {
  paused = true;
  currentTime = 0;
  playbackRate = 1;
  #src = '';
  get src() {
    return this.#src;
  }
  set src(src: string) {
    this.#src = src;
    this.paused = true;
    this.currentTime = 0;
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
  end(seconds: number) {
    this.currentTime = seconds;
    this.dispatchEvent(new Event('timeupdate'));
    this.pause();
    this.dispatchEvent(new Event('ended'));
  }
}

/** Puts an Audio there; the answer fills with those that are made, the player's own first. */
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
