import { type ClickBeat, ClickTrack, DEFAULT_CLICK_VOLUME } from './click-track.ts';
import { SecondDeck, type SecondSong } from './second-deck.ts';
import { silence } from './silence.ts';

export type Track = {
  /** The job's id, or a fixed name for the sample. */
  id: string;
  title: string;
  artist: string | null;
  durationSeconds: number;
  /** Null when the audio was not kept: the playhead then moves over silence, with the click. */
  audio: string | Blob | null;
  /** The song's page; null when it has none. */
  href: string | null;
};

export const SILENT_REASONS = {
  not_kept: 'The audio was not kept',
  not_loaded: 'The audio could not be loaded',
};

export type Loop = { startSeconds: number; endSeconds: number };

export type PlayerState = {
  track: Track | null;
  playing: boolean;
  /** Why there is only the click to hear; null when the audio plays. */
  silent: keyof typeof SILENT_REASONS | null;
  /** The playback rate, 0.5 to 1.5; the pitch stays. */
  speedRatio: number;
  loop: Loop | null;
  clickOn: boolean;
  /** 0 to 1. */
  clickVolume: number;
  countIn: boolean;
  /** The song that plays along, with the crossfader from 0 (this song alone) to 1 (that song alone). */
  mix: { song: SecondSong; fadeFraction: number } | null;
};

const INITIAL: PlayerState = {
  track: null,
  playing: false,
  silent: null,
  speedRatio: 1,
  loop: null,
  clickOn: false,
  clickVolume: DEFAULT_CLICK_VOLUME,
  countIn: false,
  mix: null,
};

/** Both songs are equally loud. */
const FADE_MIDDLE_FRACTION = 0.5;

/** Half speed is for practising; few uses need more than half as fast again. */
export const SPEED_RATIO_MIN = 0.5;
export const SPEED_RATIO_MAX = 1.5;

/** A seek stops this far before the end, or the song would end at once. */
const END_MARGIN_SECONDS = 0.05;
/** Slightly more than the longest interval between `timeupdate` events, which HTML sets at 250 ms. */
const TIME_UPDATE_SECONDS = 0.3;
/** A timer may fire slightly early. */
const TIMER_EARLY_SECONDS = 0.02;
/** Beats searched for the length of a bar; the API allows up to 16 beats in a bar. */
const BAR_BEATS_MAX = 16;

/** The page's only player; it keeps playing while the user moves between pages. */
export class Player {
  readonly #media = new Audio();
  readonly #click = new ClickTrack(this.#media);
  readonly #second = new SecondDeck(this.#media);
  readonly #listeners = new Set<() => void>();
  #state = INITIAL;
  /** The object URL of audio that is a Blob, revoked when other audio is opened. */
  #objectUrl: string | null = null;
  /** The latest beats from a song's page, which may not be loaded yet. */
  #latestBeats: { trackId: string; beats: readonly ClickBeat[] } | null = null;
  /** The position of each song when another replaced it, by track id. */
  readonly #leftAtSeconds = new Map<string, number>();
  #countInTimer: ReturnType<typeof setTimeout> | null = null;

  constructor() {
    this.#media.preload = 'metadata';
    this.#media.preservesPitch = true;
    this.#media.addEventListener('play', () => this.#set({ playing: true }));
    this.#media.addEventListener('pause', () => this.#set({ playing: false }));
    this.#media.addEventListener('error', () => void this.#loseAudio());
    this.#media.addEventListener('timeupdate', () => this.#keepLoop());
    this.#media.addEventListener('ended', () => this.#loopAtEnd());
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly read = (): PlayerState => this.#state;

  get seconds(): number {
    return this.#media.currentTime;
  }

  /** The position of a song: now, when another replaced it, or 0 if it was never loaded. */
  secondsOf(trackId: string): number {
    return this.#state.track?.id === trackId ? this.seconds : (this.#leftAtSeconds.get(trackId) ?? 0);
  }

  /** Loads a song at its start. The song that is loaded already, perhaps renamed or without its audio now, keeps its position. */
  load(track: Track): void {
    if (this.#state.track?.id === track.id) {
      this.#set({ track });
      if (track.audio === null) this.#fallSilent('not_kept');
      return;
    }
    this.pause();
    if (this.#state.track) this.#leftAtSeconds.set(this.#state.track.id, this.seconds);
    this.#leftAtSeconds.delete(track.id);
    this.endMix();
    this.#open(track.audio ?? silence(track.durationSeconds));
    this.#set({ track, loop: null, silent: track.audio === null ? 'not_kept' : null });
    this.#click.beats = this.#beats;
  }

  setBeats(trackId: string, beats: readonly ClickBeat[]): void {
    this.#latestBeats = { trackId, beats };
    if (this.#state.track?.id === trackId) this.#click.beats = beats;
  }

  /** Plays another song along with this one. */
  mixWith(song: SecondSong): void {
    this.#second.load(song, FADE_MIDDLE_FRACTION);
    this.#set({ mix: { song, fadeFraction: FADE_MIDDLE_FRACTION } });
    if (!this.#state.playing) this.play();
  }

  setFade(fadeFraction: number): void {
    const { mix } = this.#state;
    if (!mix) return;
    this.#second.fade(fadeFraction);
    this.#set({ mix: { ...mix, fadeFraction } });
  }

  endMix(): void {
    if (!this.#state.mix) return;
    this.#second.eject();
    this.#set({ mix: null });
  }

  play(): void {
    const { countIn, speedRatio } = this.#state;
    const beats = this.#beats;
    const [first, second] = beats;
    if (countIn && first && second) {
      const beatSeconds = (second.time_seconds - first.time_seconds) / speedRatio;
      const beatCount = Math.max(...beats.slice(0, BAR_BEATS_MAX).map(({ beat_in_bar }) => beat_in_bar));
      const waitSeconds = this.#click.countIn(beatCount, beatSeconds);
      this.#countInTimer = setTimeout(() => this.#start(), waitSeconds * 1000);
      this.#set({ playing: true });
    } else this.#start();
  }

  pause(): void {
    if (this.#countInTimer !== null) clearTimeout(this.#countInTimer);
    this.#countInTimer = null;
    this.#click.endCountIn();
    this.#media.pause();
    this.#set({ playing: false });
  }

  toggle(): void {
    if (this.#state.playing) this.pause();
    else this.play();
  }

  seek(seconds: number): void {
    const endSeconds = this.#state.track?.durationSeconds ?? 0;
    this.#media.currentTime = Math.min(Math.max(0, seconds), Math.max(0, endSeconds - END_MARGIN_SECONDS));
    for (const listener of this.#listeners) listener();
  }

  /** Tries again to load audio that could not be loaded. */
  loadAgain(): void {
    const { track, silent } = this.#state;
    if (track?.audio && silent) this.#exchange(track.audio, null);
  }

  setSpeed(ratio: number): void {
    const speedRatio = Math.min(SPEED_RATIO_MAX, Math.max(SPEED_RATIO_MIN, ratio));
    this.#media.playbackRate = speedRatio;
    this.#set({ speedRatio });
  }

  setLoop(loop: Loop | null): void {
    this.#set({ loop });
    const now = this.seconds;
    if (loop && (now < loop.startSeconds || now >= loop.endSeconds)) this.seek(loop.startSeconds);
  }

  setClick(clickOn: boolean, clickVolume = this.#state.clickVolume): void {
    this.#click.volume = clickVolume;
    if (clickOn) this.#click.start();
    else this.#click.stop();
    this.#set({ clickOn, clickVolume });
  }

  setCountIn(countIn: boolean): void {
    this.#set({ countIn });
  }

  get #beats(): readonly ClickBeat[] {
    return this.#latestBeats?.trackId === this.#state.track?.id ? (this.#latestBeats?.beats ?? []) : [];
  }

  #start(): void {
    this.#countInTimer = null;
    this.#media.playbackRate = this.#state.speedRatio;
    this.#media.play().catch((error: Error) => {
      // An AbortError means that a newer play, pause or load came first.
      if (error.name !== 'AbortError') this.#set({ playing: false });
    });
  }

  /** For audio that cannot be fetched or decoded. The media element does not tell a missing file apart, so the service is asked. */
  async #loseAudio(): Promise<void> {
    const { track, silent } = this.#state;
    if (!track || silent) return;
    this.#fallSilent('not_loaded');
    if (typeof track.audio !== 'string') return;
    const response = await fetch(track.audio, { method: 'HEAD' }).catch(() => null);
    const latest = this.#state;
    if (response?.status === 404 && latest.track?.id === track.id && latest.silent)
      this.#fallSilent('not_kept');
  }

  #fallSilent(reason: keyof typeof SILENT_REASONS): void {
    const { track, silent } = this.#state;
    if (silent) this.#set({ silent: reason });
    else if (track) this.#exchange(silence(track.durationSeconds), reason);
  }

  /** Switches to other audio at the same position. */
  #exchange(audio: string | Blob, silent: PlayerState['silent']): void {
    const { playing } = this.#state;
    const { seconds } = this;
    this.#open(audio);
    this.#media.currentTime = seconds;
    this.#set({ silent });
    // Setting a source stops the element without a `pause` event.
    if (playing && this.#countInTimer === null) this.#start();
  }

  /** `timeupdate` comes only four times a second, so a timer covers the rest of the way to the end of the loop. */
  #keepLoop(): void {
    const { loop, speedRatio } = this.#state;
    if (!loop || this.#media.paused) return;
    const leftSeconds = (loop.endSeconds - this.#media.currentTime) / speedRatio;
    if (leftSeconds <= 0) this.#media.currentTime = loop.startSeconds;
    else if (leftSeconds < TIME_UPDATE_SECONDS) setTimeout(() => this.#jumpBack(), leftSeconds * 1000);
  }

  #jumpBack(): void {
    const { loop } = this.#state;
    if (loop && !this.#media.paused && this.#media.currentTime >= loop.endSeconds - TIMER_EARLY_SECONDS) {
      this.#media.currentTime = loop.startSeconds;
    }
  }

  /** For a loop to the end of the song: the browser's audio may end slightly before the duration that the service decoded. */
  #loopAtEnd(): void {
    const { loop } = this.#state;
    if (!loop) return;
    this.#media.currentTime = loop.startSeconds;
    this.#start();
  }

  #open(audio: string | Blob): void {
    if (this.#objectUrl !== null) URL.revokeObjectURL(this.#objectUrl);
    this.#objectUrl = typeof audio === 'string' ? null : URL.createObjectURL(audio);
    this.#media.src = this.#objectUrl ?? (audio as string);
    this.#media.playbackRate = this.#state.speedRatio;
  }

  #set(change: Partial<PlayerState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
