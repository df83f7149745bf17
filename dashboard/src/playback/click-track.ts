/**
 * An audible click on every beat, higher on downbeats, to judge the grid by ear. Clicks are scheduled on the audio clock a
 * little ahead, because timers of a page are far too coarse for rhythm (Wilson, "A tale of two clocks", 2013).
 */

export type ClickBeat = { time_seconds: number; beat_in_bar: number };

const LOOK_AHEAD_SECONDS = 0.15;
const TICK_MS = 40;
const CLICK_SECONDS = 0.03;

export class ClickTrack {
  readonly #media: HTMLMediaElement;
  #beats: readonly ClickBeat[] = [];
  #level = 0.6;
  #audio: AudioContext | null = null;
  #timer: ReturnType<typeof setInterval> | null = null;
  #scheduledTo = 0;
  /** Where the song was when clicks were last scheduled. */
  #lastSeconds = 0;
  #countIn: OscillatorNode[] = [];

  constructor(media: HTMLMediaElement) {
    this.#media = media;
  }

  set beats(beats: readonly ClickBeat[]) {
    this.#beats = beats;
    this.#scheduledTo = this.#media.currentTime;
  }

  /** 0 to 1. */
  set level(level: number) {
    this.#level = level;
  }

  start(): void {
    this.#openAudio();
    this.#scheduledTo = this.#media.currentTime;
    this.#timer ??= setInterval(() => this.#schedule(), TICK_MS);
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** One bar of clicks at the song's pace; answers with how long it takes. */
  countIn(beatCount: number, beatSeconds: number): number {
    const audio = this.#openAudio();
    const startSeconds = audio.currentTime;
    this.#countIn = Array.from({ length: beatCount }, (_, beat) =>
      this.#click(audio, startSeconds + beat * beatSeconds, beat === 0),
    );
    return beatCount * beatSeconds;
  }

  endCountIn(): void {
    for (const tone of this.#countIn) tone.stop();
    this.#countIn = [];
  }

  #openAudio(): AudioContext {
    this.#audio ??= new AudioContext();
    void this.#audio.resume();
    return this.#audio;
  }

  #schedule(): void {
    const audio = this.#audio;
    const now = this.#media.currentTime;
    // After a jump in either direction, what was scheduled says nothing about where we are; a loop of a beat jumps back by little.
    const jumped = now < this.#lastSeconds - CLICK_SECONDS || now > this.#scheduledTo + 1;
    if (jumped) this.#scheduledTo = now;
    this.#lastSeconds = now;
    if (!audio || this.#media.paused) return;
    const until = now + LOOK_AHEAD_SECONDS * this.#media.playbackRate;
    for (const beat of this.#beats) {
      if (beat.time_seconds < this.#scheduledTo || beat.time_seconds >= until) continue;
      const inSeconds = (beat.time_seconds - now) / this.#media.playbackRate;
      this.#click(audio, audio.currentTime + Math.max(0, inSeconds), beat.beat_in_bar === 1);
    }
    this.#scheduledTo = Math.max(this.#scheduledTo, until);
  }

  #click(audio: AudioContext, at: number, accent: boolean): OscillatorNode {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = accent ? 1_760 : 1_100;
    volume.gain.setValueAtTime(Math.max(0.001, this.#level * (accent ? 0.8 : 0.5)), at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + CLICK_SECONDS);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + CLICK_SECONDS);
    return tone;
  }
}
