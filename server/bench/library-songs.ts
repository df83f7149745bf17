/** Fills a library for measurements with variations of real results. The same seed gives the same songs, with other ids. */

import { createHash } from 'node:crypto';
import { notationsOf, type ResultDocument, readKeyName } from '@earshot/exports';
import { extractFeatures, INDEX_VERSION, nameSong } from '../src/library/song.ts';
import { newId } from '../src/platform/ids.ts';
import type { Database } from '../src/platform/postgres.ts';

const WORDS =
  'night drive blue hour river stone golden light velvet city dream ocean fire paper moon silver road summer rain winter glass heart echo distant shadow morning electric garden broken mirror sweet thunder little wild horizon lonely star crystal smoke midnight train sugar desert bloom red letter hollow crown window static'.split(
    ' ',
  );
const FIRST = 'Ada Zoë Ólafur Miles Nina Björk Chet Aretha Fela Sade Gil Etta Amália Tito Celia Otis'.split(
  ' ',
);
const LAST =
  'Hansen Øye Silva Kowalski Nakamura Okafor Lindqvist Moreau Rossi Novák Santos Weber Kaplan Duarte Iyer Walsh'.split(
    ' ',
  );
const GENRES =
  'house techno hip-hop rock pop jazz classical folk metal reggae soul funk disco ambient country blues'.split(
    ' ',
  );
const MOODS = 'happy dark calm energetic sad dreamy aggressive romantic'.split(' ');
const INSTRUMENTS = 'piano drums bass guitar synthesizer strings voice saxophone'.split(' ');
const TAGS = 'warm-up opener peak closing vocal tool classic favourite wedding radio'.split(' ');
const KEYS = 'C C# D Eb E F F# G Ab A Bb B'.split(' ').flatMap((key) => [`${key} major`, `${key} minor`]);

/** Of songs without a tempo, such as speech and ambience. */
const NO_TEMPO_SHARE = 0.02;
/** Of songs with the same file as an earlier one. */
const DUPLICATE_SHARE = 0.03;
const BATCH_SONGS = 1_000;
/** Between the creation of two songs. */
const SONG_INTERVAL_MS = 60_000;

/** Mulberry32 by Tommy Ettinger (public domain): 0 <= x < 1. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

type Song = { document: ResultDocument; title: string; artist: string; album: string; tags: string[] };

/** The numbers below are guesses, wide enough that every filter and every sort tells songs apart. */
function varySong(random: () => number, seeds: readonly ResultDocument[], number: number): Song {
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!;
  const near = (value: number | null, spread: number) =>
    Math.min(1, Math.max(0, (value ?? 0.5) + (random() - 0.5) * spread));
  const document = pick(seeds);
  const words = Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(WORDS));
  // A few artists have many songs: probability falls with rank.
  const rank = Math.floor(5_000 ** random());
  const artist = `${FIRST[rank % FIRST.length]} ${LAST[Math.floor(rank / FIRST.length) % LAST.length]} ${rank}`;
  const key = notationsOf(readKeyName(pick(KEYS))!);
  const original = random() < DUPLICATE_SHARE ? Math.floor(random() * number) : number;
  const embedding = document.fingerprint?.embedding?.map((value) => value + (random() - 0.5) * 0.2) ?? null;
  return {
    title: words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join(' '),
    artist,
    album: `${pick(WORDS)} ${pick(WORDS)}`,
    tags: random() < 0.4 ? [pick(TAGS), ...(random() < 0.3 ? [pick(TAGS)] : [])] : [],
    document: {
      ...document,
      bpm: random() < NO_TEMPO_SHARE ? null : 60 + random() ** 0.7 * 120,
      ...key,
      energy: near(document.energy, 0.8),
      danceability: near(document.danceability, 0.8),
      valence: near(document.valence, 0.8),
      loudness_lufs: (document.loudness_lufs ?? -14) + (random() - 0.5) * 12,
      duration_seconds: 60 + random() * 400,
      genre_suggestions: [pick(GENRES), pick(GENRES)],
      mood_tags: [pick(MOODS)],
      tags: {
        ...(document.tags ?? { genres: [], moods: [], eras: [] }),
        instruments: [1, 2, 3].map(() => ({ label: pick(INSTRUMENTS), confidence: 1, spans: [] })),
      },
      content: document.content && { ...document.content, voice_presence: random() },
      fingerprint: document.fingerprint && { ...document.fingerprint, embedding },
      file: { ...document.file, sha256: createHash('sha256').update(String(original)).digest('hex') },
    },
  };
}

/** Inserts songs as library/index-song.ts would, but no results. Returns their ids, oldest first. */
export async function fillLibrary(
  db: Database,
  options: { workspaceId: string; seeds: readonly ResultDocument[]; count: number; seed: number },
): Promise<string[]> {
  const random = createRandom(options.seed);
  const firstOfFile = new Map<string, string>();
  const ids: string[] = [];
  const firstCreatedMs = Date.now() - options.count * SONG_INTERVAL_MS;
  for (let from = 0; from < options.count; from += BATCH_SONGS) {
    const rows = Array.from({ length: Math.min(BATCH_SONGS, options.count - from) }, (_, offset) => {
      const row = rowOf(
        varySong(random, options.seeds, from + offset),
        firstCreatedMs + (from + offset) * SONG_INTERVAL_MS,
      );
      const first = firstOfFile.get(row.sha256);
      if (first === undefined) firstOfFile.set(row.sha256, row.id);
      ids.push(row.id);
      return { ...row, duplicate_of: first ?? null };
    });
    await insertRows(db, options.workspaceId, rows);
  }
  return ids;
}

function rowOf(song: Song, createdMs: number) {
  const features = extractFeatures(song.document);
  const { title, artist, album, tags } = song;
  const file = { fileName: `${title}.mp3`, title, artist, album };
  const description = { title: null, artist: null, album: null, tags, note: null, rating: null };
  const naming = nameSong(file, description, features.terms);
  const { embedding, embedding_version } = song.document.fingerprint ?? {};
  return {
    id: newId('job'),
    created_at: new Date(createdMs).toISOString(),
    file_name: file.fileName,
    title,
    artist,
    album,
    tags,
    title_key: naming.titleKey,
    artist_key: naming.artistKey,
    terms: naming.terms,
    bpm: features.bpm,
    key_notation: features.keyNotation,
    camelot: features.camelot,
    key_number: features.keyNumber,
    energy: features.energy,
    danceability: features.danceability,
    valence: features.valence,
    loudness_lufs: features.loudnessLufs,
    duration_seconds: features.durationSeconds,
    genre: features.genre,
    mood: features.mood,
    voice: features.voice,
    waveform: features.waveform && Buffer.from(features.waveform).toString('hex'),
    sha256: features.sha256,
    embedding: embedding ? Buffer.from(Float32Array.from(embedding).buffer).toString('hex') : null,
    embedding_version: embedding_version ?? null,
  };
}

async function insertRows(db: Database, workspaceId: string, rows: readonly object[]): Promise<void> {
  const json = JSON.stringify(rows);
  await db.transaction(async (tx) => {
    await tx.query(
      `insert into analyses (id, workspace_id, surface, status, source_kind, source_url, file_name, progress, attempt,
         created_by_kind, created_at, updated_at, started_at, completed_at)
       select id, $1, 'workspace', 'completed', 'url', 'https://example.com/' || id || '.mp3', file_name, 1, 1, 'user',
         created_at, created_at, created_at, created_at
       from jsonb_to_recordset($2::jsonb) as row (id text, file_name text, created_at timestamptz)`,
      [workspaceId, json],
    );
    await tx.query(
      `insert into songs (analysis_id, workspace_id, created_at, file_title, file_artist, file_album, title, artist, album,
         tags, title_key, artist_key, terms, bpm, key_notation, camelot, key_number, energy, danceability, valence,
         loudness_lufs, duration_seconds, genre, mood, voice, waveform, sha256, duplicate_of, shelf_version)
       select id, $1, created_at, title, artist, album, title, artist, album, tags, title_key, artist_key, terms, bpm,
         key_notation, camelot, key_number, energy, danceability, valence, loudness_lufs, duration_seconds, genre, mood,
         voice, decode(waveform, 'hex'), sha256, duplicate_of, $3
       from jsonb_to_recordset($2::jsonb) as row (id text, created_at timestamptz, title text, artist text, album text,
         tags text[], title_key text, artist_key text, terms text[], bpm float8, key_notation text, camelot text,
         key_number int, energy float8, danceability float8, valence float8, loudness_lufs float8,
         duration_seconds float8, genre text, mood text, voice boolean, waveform text, sha256 text, duplicate_of text)`,
      [workspaceId, json, INDEX_VERSION],
    );
    await tx.query(
      `insert into song_terms (workspace_id, analysis_id, term)
       select $1, id, term from jsonb_to_recordset($2::jsonb) as row (id text, terms text[]), unnest(terms) as term`,
      [workspaceId, json],
    );
    await tx.query(
      `insert into song_sounds (analysis_id, workspace_id, embedding_version, embedding)
       select id, $1, embedding_version, decode(embedding, 'hex')
       from jsonb_to_recordset($2::jsonb) as row (id text, embedding text, embedding_version int) where embedding is not null`,
      [workspaceId, json],
    );
  });
}
