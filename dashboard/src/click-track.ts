/**
 * An audible click on every beat, higher on downbeats, to judge the grid by ear. Clicks are scheduled on the audio clock a
 * little ahead, because timers of a page are far too coarse for rhythm (Wilson, "A tale of two clocks", 2013).
 */

export type ClickBeat = { time_seconds: number; beat_in_bar: number };

const LOOK_AHEAD_SECONDS = 0.15;
const TICK_MS = 40;
const CLICK_SECONDS = 0.03;

export class ClickTrack {
  readonly #beats: readonly ClickBeat[];
  readonly #media: HTMLMediaElement;
  #audio: AudioContext | null = null;
  #timer: ReturnType<typeof setInterval> | null = null;
  #scheduledTo = 0;

  constructor(beats: readonly ClickBeat[], media: HTMLMediaElement) {
    this.#beats = beats;
    this.#media = media;
  }

  get running(): boolean {
    return this.#timer !== null;
  }

  start(): void {
    this.#audio ??= new AudioContext();
    void this.#audio.resume();
    this.#scheduledTo = this.#media.currentTime;
    this.#timer ??= setInterval(() => this.#schedule(), TICK_MS);
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  close(): void {
    this.stop();
    void this.#audio?.close();
  }

  #schedule(): void {
    const audio = this.#audio;
    const now = this.#media.currentTime;
    // After a jump in either direction, what was scheduled says nothing about where we are.
    if (Math.abs(this.#scheduledTo - now) > 1) this.#scheduledTo = now;
    if (!audio || this.#media.paused) return;
    const until = now + LOOK_AHEAD_SECONDS;
    for (const beat of this.#beats) {
      if (beat.time_seconds < this.#scheduledTo || beat.time_seconds >= until) continue;
      const inSeconds = (beat.time_seconds - now) / this.#media.playbackRate;
      this.#click(audio, audio.currentTime + Math.max(0, inSeconds), beat.beat_in_bar === 1);
    }
    this.#scheduledTo = Math.max(this.#scheduledTo, until);
  }

  #click(audio: AudioContext, at: number, accent: boolean): void {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = accent ? 1_760 : 1_100;
    volume.gain.setValueAtTime(accent ? 0.5 : 0.3, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + CLICK_SECONDS);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + CLICK_SECONDS);
  }
}
