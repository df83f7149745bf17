/**
 * An audible click on every beat, higher on downbeats, to check the detected beats by ear. A timer schedules clicks ahead of time on the
 * audio clock, because timers alone are too imprecise for rhythm (Wilson, "A tale of two clocks", 2013).
 */

export type ClickBeat = { time_seconds: number; beat_in_bar: number };

const TICK_MS = 40;
/** More than three ticks: clicks stay on time when a tick or two are late. */
const LOOK_AHEAD_SECONDS = 0.15;
/**
 * A beat longer ago than this, skipped by a seek or a late tick, gets no click: it would sound off the beat. More than a tick, so that
 * the beat on which playback starts gets one.
 */
const LATE_SECONDS = 0.05;

/** The sound of a click. Chosen by ear, to be heard through a song without covering it. */
const CLICK_SECONDS = 0.03;
const BEAT_HZ = 1_100;
const DOWNBEAT_HZ = 1_760;
const BEAT_VOLUME = 0.5;
const DOWNBEAT_VOLUME = 0.8;
/** An exponential ramp cannot reach zero; this is -60 dB. */
const SILENT_VOLUME = 0.001;

export const DEFAULT_CLICK_VOLUME = 0.6;

export class ClickTrack {
  readonly #media: HTMLMediaElement;
  #beats: readonly ClickBeat[] = [];
  #volume = DEFAULT_CLICK_VOLUME;
  #audio: AudioContext | null = null;
  #timer: ReturnType<typeof setInterval> | null = null;
  #scheduledToSeconds = 0;
  /** Where the song was when clicks were last scheduled. */
  #lastSeconds = 0;
  #countIn: OscillatorNode[] = [];

  constructor(media: HTMLMediaElement) {
    this.#media = media;
  }

  set beats(beats: readonly ClickBeat[]) {
    this.#beats = beats;
    this.#scheduledToSeconds = this.#media.currentTime;
  }

  /** 0 to 1. */
  set volume(volume: number) {
    this.#volume = volume;
  }

  start(): void {
    if (this.#timer !== null) return;
    this.#openAudio();
    this.#scheduledToSeconds = this.#media.currentTime;
    this.#timer = setInterval(() => this.#schedule(), TICK_MS);
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Schedules one bar of clicks and returns its length in seconds. */
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
    const nowSeconds = this.#media.currentTime;
    // After a seek back the schedule starts again. A loop may jump back by less than a beat, so a small step counts.
    if (nowSeconds < this.#lastSeconds - CLICK_SECONDS) this.#scheduledToSeconds = nowSeconds;
    this.#lastSeconds = nowSeconds;
    if (!audio || this.#media.paused) return;
    const { playbackRate } = this.#media;
    const untilSeconds = nowSeconds + LOOK_AHEAD_SECONDS * playbackRate;
    const fromSeconds = Math.max(this.#scheduledToSeconds, nowSeconds - LATE_SECONDS * playbackRate);
    for (const beat of this.#beats) {
      if (beat.time_seconds < fromSeconds || beat.time_seconds >= untilSeconds) continue;
      const inSeconds = (beat.time_seconds - nowSeconds) / playbackRate;
      this.#click(audio, audio.currentTime + Math.max(0, inSeconds), beat.beat_in_bar === 1);
    }
    this.#scheduledToSeconds = Math.max(this.#scheduledToSeconds, untilSeconds);
  }

  #click(audio: AudioContext, atSeconds: number, isDownbeat: boolean): OscillatorNode {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = isDownbeat ? DOWNBEAT_HZ : BEAT_HZ;
    const peakVolume = this.#volume * (isDownbeat ? DOWNBEAT_VOLUME : BEAT_VOLUME);
    volume.gain.setValueAtTime(Math.max(SILENT_VOLUME, peakVolume), atSeconds);
    volume.gain.exponentialRampToValueAtTime(SILENT_VOLUME, atSeconds + CLICK_SECONDS);
    tone.connect(volume).connect(audio.destination);
    tone.start(atSeconds);
    tone.stop(atSeconds + CLICK_SECONDS);
    return tone;
  }
}
