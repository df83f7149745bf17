import { type ResultDocument, wheelNumberOf } from '@earshot/exports';
import { withoutExtension } from '../analyses/file-name.ts';
import { sketchRecording } from './recording.ts';
import { sortKeyOf, wordsOf } from './search-words.ts';

/** A song is an analysis in the library index of its workspace. */
export type SongIds = { workspaceId: string; analysisId: string };

type Names = { title: string | null; artist: string | null; album: string | null };

/** What users wrote about a song. A null title, artist or album falls back to the file's. */
export type Description = Names & {
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

/** The file's own name and tags. */
export type FileNames = Names & { fileName: string | null };

/** The names that are shown, their sort keys, and the search terms. */
export type Naming = Names & { titleKey: string | null; artistKey: string | null; terms: string[] };

/** The part of a result that the library searches, sorts and lists by. */
export type SongFeatures = {
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
  /** The sketch of the fingerprint; null where it is too short to tell recordings apart. */
  recording: number[] | null;
  /** Genres, moods and instruments. */
  terms: string[];
};

/** Raise this when the content of a row changes: the sweeper then rewrites all rows of older versions. */
export const INDEX_VERSION = 4;

const WAVEFORM_POINTS = 120;
/** Share of a song with voice from which it counts as vocal. A judgement: a few shouts or one sampled line stay below it. */
const VOICE_PRESENCE_MIN = 0.3;
/** Each term is a row of song_terms. A long note would add hundreds; its words come last, so they are cut first. */
const TERMS_MAX = 120;

export function nameSong(file: FileNames, description: Description, featureTerms: readonly string[]): Naming {
  const title = description.title ?? file.title ?? withoutExtension(file.fileName);
  const artist = description.artist ?? file.artist;
  const album = description.album ?? file.album;
  const words = wordsOf(
    [title, artist, album, file.fileName, ...description.tags, description.note].join(' '),
  );
  const terms = [
    ...featureTerms,
    ...description.tags.map((tag) => termOf('tag', tag)),
    ...words.map((word) => `w:${word}`),
  ];
  return {
    title,
    artist,
    album,
    titleKey: title && sortKeyOf(title),
    artistKey: artist && sortKeyOf(artist),
    terms: withPrefixes([...new Set(terms)].slice(0, TERMS_MAX)),
  };
}

const PREFIX_CHARACTERS_MAX = 2;

/**
 * A search for one or two letters would have to merge the lists of thousands of words. As terms in their own right, which a song has once,
 * these prefixes have one list each, in the order of ids, as a genre has.
 */
function withPrefixes(terms: readonly string[]): string[] {
  const words = terms.filter((term) => term.startsWith('w:')).map((term) => [...term.slice(2)]);
  const prefixes = words.flatMap((word) => [1, PREFIX_CHARACTERS_MAX].map((length) => word.slice(0, length)));
  return [...new Set([...terms, ...prefixes.map((letters) => `p:${letters.join('')}`)])];
}

/** Whether a search word is short enough to be found as a prefix term. */
export function isPrefix(word: string): boolean {
  return [...word].length <= PREFIX_CHARACTERS_MAX;
}

/** `document` is the result with the user's corrections applied. */
export function extractFeatures(document: ResultDocument): SongFeatures {
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

/** The terms that come from the result rather than from names, tags and note. */
export function featureTermsOf(terms: readonly string[]): string[] {
  return terms.filter((term) => !/^(w|p|tag):/.test(term));
}

export type TermKind = 'tag' | 'genre' | 'mood' | 'instrument';

/** The normalized form under which a tag, genre, mood or instrument is stored and searched. */
export function termOf(kind: TermKind, name: string): string {
  return `${kind}:${sortKeyOf(name) ?? ''}`;
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

/** The peak of each of 120 equal parts, 0 to 255, from the coarsest level that has enough points; null without a waveform. */
function drawWaveform(document: ResultDocument): Uint8Array | null {
  const levels = document.waveform?.levels ?? [];
  const level = levels.filter(({ length }) => length >= WAVEFORM_POINTS).at(-1) ?? levels.at(-1);
  if (!level || level.length === 0) return null;
  const { data, channels, length } = level;
  // A minimum and a maximum of each channel.
  const valuesPerPixel = 2 * channels;
  return Uint8Array.from({ length: WAVEFORM_POINTS }, (_, point) => {
    const from = Math.floor((point * length) / WAVEFORM_POINTS);
    const to = Math.max(from + 1, Math.floor(((point + 1) * length) / WAVEFORM_POINTS));
    let peak = 0;
    for (let index = from * valuesPerPixel; index < to * valuesPerPixel; index++)
      peak = Math.max(peak, Math.abs(data[index] ?? 0));
    // The data has eight bits with a sign.
    return Math.min(255, peak * 2);
  });
}
