import { type ResultDocument, wheelNumberOf } from '@earshot/exports';
import { withoutExtension } from '../analyses/file-name.ts';
import { sketchRecording } from './recording.ts';
import { keyOf, wordsOf } from './search-words.ts';

/** A song is an analysis on the shelf of its workspace. */
export type SongIds = { workspaceId: string; analysisId: string };

/** What people wrote about a song; null: nothing, and what the file says is shown. */
export type Description = {
  title: string | null;
  artist: string | null;
  album: string | null;
  tags: string[];
  note: string | null;
  rating: number | null;
};

export const NO_DESCRIPTION: Description = {
  title: null,
  artist: null,
  album: null,
  tags: [],
  note: null,
  rating: null,
};

/** What the file calls itself. */
export type FileNames = {
  fileName: string | null;
  title: string | null;
  artist: string | null;
  album: string | null;
};

/** How a song is called and found. */
export type Naming = {
  title: string | null;
  artist: string | null;
  album: string | null;
  titleKey: string | null;
  artistKey: string | null;
  terms: string[];
};

/** What was heard, as far as songs are searched by it. */
export type Heard = {
  bpm: number | null;
  keyNotation: string | null;
  camelot: string | null;
  keyNumber: number | null;
  energy: number | null;
  danceability: number | null;
  valence: number | null;
  loudnessLufs: number | null;
  durationSeconds: number;
  genre: string | null;
  mood: string | null;
  voice: boolean | null;
  artwork: boolean;
  waveform: Uint8Array | null;
  sha256: string;
  /** Null where too little can be heard to tell recordings apart. */
  recording: number[] | null;
  /** Genres, moods and instruments. */
  terms: string[];
};

/** To be raised when any of this is made otherwise: the sweeper then makes every row again. */
export const SHELF_VERSION = 4;

export const WAVEFORM_POINTS = 120;
/** From this share of a song with voice on, it is a song that is sung. Chosen: a few shouts or a sampled line are below it. */
const VOICE_PRESENCE_MIN = 0.3;
/** Chosen: a long note must not make a song a thousand rows. */
const TERMS_MAX = 120;

export function nameSong(file: FileNames, description: Description, heardTerms: readonly string[]): Naming {
  const title = description.title ?? file.title ?? withoutExtension(file.fileName);
  const artist = description.artist ?? file.artist;
  const album = description.album ?? file.album;
  const words = wordsOf(
    [title, artist, album, file.fileName, ...description.tags, description.note].join(' '),
  );
  const terms = [
    ...heardTerms,
    ...description.tags.map((tag) => termOf('tag', tag)),
    ...words.map((word) => `w:${word}`),
  ];
  return {
    title,
    artist,
    album,
    titleKey: title && keyOf(title),
    artistKey: artist && keyOf(artist),
    terms: withPrefixes([...new Set(terms)].slice(0, TERMS_MAX)),
  };
}

const PREFIX_CHARACTERS_MAX = 2;

/**
 * A letter or two begin a third of all words there are. As a term of its own, which a song has once, such a beginning is one list in the
 * order of ids, like a genre, and not those of a thousand words that have to be sorted first.
 */
function withPrefixes(terms: readonly string[]): string[] {
  const words = terms.filter((term) => term.startsWith('w:')).map((term) => [...term.slice(2)]);
  const prefixes = words.flatMap((word) => [1, PREFIX_CHARACTERS_MAX].map((length) => word.slice(0, length)));
  return [...new Set([...terms, ...prefixes.map((letters) => `p:${letters.join('')}`)])];
}

/** Whether a word that is searched for is the prefix of others as a whole. */
export function isPrefix(word: string): boolean {
  return [...word].length <= PREFIX_CHARACTERS_MAX;
}

/** `document` is the corrected one. */
export function hearSong(document: ResultDocument): Heard {
  const labels = labelsOf(document);
  return {
    bpm: document.bpm,
    keyNotation: document.key_notation,
    camelot: document.camelot,
    keyNumber: document.camelot ? wheelNumberOf(document.camelot) : null,
    energy: document.energy,
    danceability: document.danceability,
    valence: document.valence,
    loudnessLufs: document.loudness_lufs,
    durationSeconds: document.duration_seconds,
    genre: labels.genres[0] ?? null,
    mood: labels.moods[0] ?? null,
    voice: voiceOf(document),
    artwork: document.file.cover_art_present,
    waveform: drawWaveform(document),
    sha256: document.file.sha256,
    recording: sketchRecording(document.fingerprint?.chromaprint ?? null),
    terms: [
      ...labels.genres.map((name) => termOf('genre', name)),
      ...labels.moods.map((name) => termOf('mood', name)),
      ...labels.instruments.map((name) => termOf('instrument', name)),
    ],
  };
}

/** The terms of a row that come from the result, not from its names. */
export function heardTermsOf(terms: readonly string[]): string[] {
  return terms.filter((term) => !/^(w|p|tag):/.test(term));
}

export type TermKind = 'tag' | 'genre' | 'mood' | 'instrument';

/** The one spelling under which a tag, genre, mood or instrument is kept and asked for. */
export function termOf(kind: TermKind, name: string): string {
  return `${kind}:${keyOf(name) ?? ''}`;
}

type Labels = { genres: string[]; moods: string[]; instruments: string[] };

function labelsOf(document: ResultDocument): Labels {
  const fileGenre = document.file.tags.genre;
  return {
    genres: [...(fileGenre ? [fileGenre] : []), ...document.genre_suggestions],
    moods: document.mood_tags,
    instruments: (document.tags?.instruments ?? []).map(({ label }) => label),
  };
}

function voiceOf(document: ResultDocument): boolean | null {
  const presence = document.content?.voice_presence ?? null;
  return presence === null ? null : presence >= VOICE_PRESENCE_MIN;
}

/** The largest swing of either sign in each of 120 equal stretches, 0 to 255; null without the waveform group. */
function drawWaveform(document: ResultDocument): Uint8Array | null {
  const levels = document.waveform?.levels ?? [];
  const coarse = levels.filter((level) => level.length >= WAVEFORM_POINTS).at(-1) ?? levels.at(-1);
  if (!coarse || coarse.length === 0) return null;
  const { data, channels, length } = coarse;
  const valuesPerPixel = 2 * channels;
  return Uint8Array.from({ length: WAVEFORM_POINTS }, (_, point) => {
    const from = Math.floor((point * length) / WAVEFORM_POINTS);
    const to = Math.max(from + 1, Math.floor(((point + 1) * length) / WAVEFORM_POINTS));
    let peak = 0;
    for (let at = from * valuesPerPixel; at < to * valuesPerPixel; at++)
      peak = Math.max(peak, Math.abs(data[at] ?? 0));
    return Math.min(255, peak * 2);
  });
}
