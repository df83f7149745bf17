import { CLICK_VOLUME_FIRST, type ClickBeat, ClickTrack } from './click-track.ts';
import { SecondDeck, type SecondSong } from './second-deck.ts';
import { silence } from './silence.ts';

export type Track = {
  /** The analysis, or a name for the sample and the demo. */
  id: string;
  title: string;
  artist: string | null;
  durationSeconds: number;
  /** Null: the audio was not kept. The playhead then moves over silence, with the click. */
  audio: string | Blob | null;
  /** Where the song has a page. */
  href: string | null;
};

export const SILENT_WORDS = {
  not_kept: 'The audio was not kept',
  not_loaded: 'The audio could not be loaded',
};

export type Loop = { startSeconds: number; endSeconds: number };

export type PlayerState = {
  track: Track | null;
  playing: boolean;
  /** Why the click plays alone; null: it does not. */
  silent: keyof typeof SILENT_WORDS | null;
  /** 0.5 to 1.5, at the same pitch. */
  speedRatio: number;
  loop: Loop | null;
  clickOn: boolean;
  /** 0 to 1. */
  clickVolume: number;
  countIn: boolean;
  /** The song that plays along, and how far it is faded in: 0 to 1. */
  mix: { song: SecondSong; fadeFraction: number } | null;
};

const INITIAL: PlayerState = {
  track: null,
  playing: false,
  silent: null,
  speedRatio: 1,
  loop: null,
  clickOn: false,
  clickVolume: CLICK_VOLUME_FIRST,
  countIn: false,
  mix: null,
};

/** Both are heard alike. */
const FADE_MIDDLE_FRACTION = 0.5;

/** As slow as one practises, and as fast as a mix asks for: chosen. */
export const SPEED_RATIO_MIN = 0.5;
export const SPEED_RATIO_MAX = 1.5;

/** Nearer to its end than this a song would be over as soon as it is sought there. */
const END_MARGIN_SECONDS = 0.05;
/** A little more than `timeupdate` takes to come again: HTML has it every quarter of a second at least. */
const TIME_UPDATE_SECONDS = 0.3;
/** A timer may fire a little before its time. */
const TIMER_EARLY_SECONDS = 0.02;
/** The longest bar that is looked for, to know how many beats to count in. */
const BAR_BEATS_MAX = 16;

/** The one player of the page: it goes on while one moves between rooms. */
export class Player {
  readonly #media = new Audio();
  readonly #click = new ClickTrack(this.#media);
  readonly #second = new SecondDeck(this.#media);
  readonly #listeners = new Set<() => void>();
  #state = INITIAL;
  /** Of audio that is not the service's: revoked when it is done with. */
  #url: string | null = null;
  /** Of the song that was last said to have them, in the player or not yet. */
  #grid: { trackId: string; beats: readonly ClickBeat[] } | null = null;
  /** Where songs were when another one took their place. */
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

  /** Where the song is, or where it was when another one took its place; its start where it never was in the player. */
  secondsOf(trackId: string): number {
    return this.#state.track?.id === trackId ? this.seconds : (this.#leftAtSeconds.get(trackId) ?? 0);
  }

  /** Makes it the song of the player, from its beginning; the same song again, perhaps renamed, goes on where it was. */
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
    this.#grid = { trackId, beats };
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

  /** Tries audio that could not be loaded once more. */
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
    return this.#grid && this.#grid.trackId === this.#state.track?.id ? this.#grid.beats : [];
  }

  #start(): void {
    this.#countInTimer = null;
    this.#media.playbackRate = this.#state.speedRatio;
    this.#media.play().catch((error: Error) => {
      // A newer play, pause or load came in between: nothing is wrong.
      if (error.name !== 'AbortError') this.#set({ playing: false });
    });
  }

  /** Audio that does not come, or that this browser cannot play. The element does not tell which; the service does. */
  async #loseAudio(): Promise<void> {
    const { track, silent } = this.#state;
    if (!track || silent) return;
    this.#fallSilent('not_loaded');
    if (typeof track.audio !== 'string') return;
    const answer = await fetch(track.audio, { method: 'HEAD' }).catch(() => null);
    const { track: current, silent: still } = this.#state;
    if (answer?.status === 404 && current?.id === track.id && still) this.#fallSilent('not_kept');
  }

  #fallSilent(why: keyof typeof SILENT_WORDS): void {
    const { track, silent } = this.#state;
    if (silent) this.#set({ silent: why });
    else if (track) this.#exchange(silence(track.durationSeconds), why);
  }

  /** Goes on with other audio from where it is. */
  #exchange(audio: string | Blob, silent: PlayerState['silent']): void {
    const { playing } = this.#state;
    const { seconds } = this;
    this.#open(audio);
    this.#media.currentTime = seconds;
    this.#set({ silent });
    // A new source stops the element and tells nobody.
    if (playing && this.#countInTimer === null) this.#start();
  }

  /** `timeupdate` comes four times a second, too late for a loop of a beat: the last stretch is waited for. */
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

  /** A loop to the end of the song is as long as what was decoded; what the browser plays may end a moment before it. */
  #loopAtEnd(): void {
    const { loop } = this.#state;
    if (!loop) return;
    this.#media.currentTime = loop.startSeconds;
    this.#start();
  }

  #open(audio: string | Blob): void {
    if (this.#url !== null) URL.revokeObjectURL(this.#url);
    this.#url = typeof audio === 'string' ? null : URL.createObjectURL(audio);
    this.#media.src = this.#url ?? (audio as string);
    this.#media.playbackRate = this.#state.speedRatio;
  }

  #set(change: Partial<PlayerState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
