import type { Queryable, Transaction } from '../platform/postgres.ts';
import { prepared } from '../platform/prepared.ts';
import type { Description, FileNames, Heard, Naming, SongIds } from './song.ts';

/** The shelf: songs and their terms. */

export type SongRow = {
  analysisId: string;
  file: FileNames;
  description: Description;
  terms: string[];
};

/** The hash of an upload is known before anybody has listened: who asks by it must not send the same bytes again. */
const UPLOADED_SHA256 = `(select o.sha256 from analyses a join storage_objects o on o.id = a.storage_object_id
    and o.workspace_id = a.workspace_id
  where a.id = $1 and a.workspace_id = $2)`;

/** With its name: written once, its many indexes are too. */
export async function insertNewSong(
  tx: Transaction,
  song: SongIds & { createdAt: Date },
  { title, artist, album, titleKey, artistKey, terms }: Naming,
  shelfVersion: number,
): Promise<void> {
  const inserted = tx.query(
    prepared(`insert into songs (analysis_id, workspace_id, created_at, sha256, title, artist, album, title_key, artist_key, terms,
       shelf_version)
     values ($1, $2, $3, ${UPLOADED_SHA256}, $4, $5, $6, $7, $8, $9, $10)`),
    [
      song.analysisId,
      song.workspaceId,
      song.createdAt,
      title,
      artist,
      album,
      titleKey,
      artistKey,
      terms,
      shelfVersion,
    ],
  );
  await Promise.all([inserted, terms.length > 0 && insertTerms(tx, song, terms)]);
}

/** One that may be there already. */
export async function insertSong(tx: Transaction, song: SongIds & { createdAt: Date }): Promise<void> {
  await tx.query(
    `insert into songs (analysis_id, workspace_id, created_at, sha256) values ($1, $2, $3, ${UPLOADED_SHA256})
     on conflict (analysis_id) do nothing`,
    [song.analysisId, song.workspaceId, song.createdAt],
  );
}

/** Locked in the order of their ids, so that two writers of the same songs wait for each other instead of forever. */
export async function lockSongs(
  tx: Transaction,
  workspaceId: string,
  analysisIds: readonly string[],
): Promise<SongRow[]> {
  return tx.query<SongRow>(
    `select s.analysis_id as "analysisId", terms,
       json_build_object('fileName', a.file_name, 'title', file_title, 'artist', file_artist, 'album', file_album) as file,
       json_build_object('title', written_title, 'artist', written_artist, 'album', written_album, 'tags', tags,
         'note', note, 'rating', rating) as description
     from songs s join analyses a on a.id = s.analysis_id
     where s.analysis_id = any ($2) and s.workspace_id = $1 and a.deleted_at is null
     order by s.analysis_id for no key update of s`,
    [workspaceId, analysisIds],
  );
}

export async function saveNaming(
  tx: Transaction,
  ids: SongIds,
  naming: Naming,
  file: FileNames,
  termsBefore: readonly string[],
): Promise<void> {
  const gone = termsBefore.filter((term) => !naming.terms.includes(term));
  const come = naming.terms.filter((term) => !termsBefore.includes(term));
  const renamed = tx.query(
    `update songs set title = $3, artist = $4, album = $5, title_key = $6, artist_key = $7, terms = $8,
       file_title = $9, file_artist = $10, file_album = $11
     where analysis_id = $2 and workspace_id = $1`,
    [
      ids.workspaceId,
      ids.analysisId,
      naming.title,
      naming.artist,
      naming.album,
      naming.titleKey,
      naming.artistKey,
      naming.terms,
      file.title,
      file.artist,
      file.album,
    ],
  );
  await Promise.all([
    renamed,
    gone.length > 0 && deleteTerms(tx, ids, gone),
    come.length > 0 && insertTerms(tx, ids, come),
  ]);
}

export async function saveHeard(
  tx: Transaction,
  ids: SongIds,
  heard: Heard,
  shelfVersion: number,
): Promise<void> {
  await tx.query(
    `update songs set bpm = $3, key_notation = $4, camelot = $5, key_number = $6, energy = $7, danceability = $8,
       valence = $9, loudness_lufs = $10, duration_seconds = $11, genre = $12, mood = $13, voice = $14, artwork = $15,
       waveform = $16, sha256 = $17, shelf_version = $18
     where analysis_id = $2 and workspace_id = $1`,
    [
      ids.workspaceId,
      ids.analysisId,
      heard.bpm,
      heard.keyNotation,
      heard.camelot,
      heard.keyNumber,
      heard.energy,
      heard.danceability,
      heard.valence,
      heard.loudnessLufs,
      heard.durationSeconds,
      heard.genre,
      heard.mood,
      heard.voice,
      heard.artwork,
      heard.waveform && Buffer.from(heard.waveform),
      heard.sha256,
      shelfVersion,
    ],
  );
}

export async function saveDescription(
  tx: Transaction,
  ids: SongIds,
  description: Description,
  now: Date,
): Promise<void> {
  await tx.query(
    `update songs set written_title = $3, written_artist = $4, written_album = $5, tags = $6, note = $7, rating = $8,
       described_at = $9
     where analysis_id = $2 and workspace_id = $1`,
    [
      ids.workspaceId,
      ids.analysisId,
      description.title,
      description.artist,
      description.album,
      description.tags,
      description.note,
      description.rating,
      now,
    ],
  );
}

export async function markShelved(tx: Transaction, ids: SongIds, shelfVersion: number): Promise<void> {
  await tx.query('update songs set shelf_version = $3 where analysis_id = $2 and workspace_id = $1', [
    ids.workspaceId,
    ids.analysisId,
    shelfVersion,
  ]);
}

export async function deleteSong(tx: Transaction, ids: SongIds): Promise<void> {
  const { workspaceId, analysisId } = ids;
  const row = await tx.maybeOne<{ terms: string[] }>(
    'delete from songs where analysis_id = $2 and workspace_id = $1 returning terms',
    [workspaceId, analysisId],
  );
  if (!row) return;
  await deleteTerms(tx, ids, row.terms);
  await passOnRecording(tx, ids);
}

/** The next copy is now the first of its recording. One that is being deleted is waited for, and is none of those that are left. */
async function passOnRecording(tx: Transaction, { workspaceId, analysisId }: SongIds): Promise<void> {
  const copies = await tx.query<{ id: string }>(
    `select analysis_id as id from songs where workspace_id = $1 and duplicate_of = $2
     order by analysis_id for no key update`,
    [workspaceId, analysisId],
  );
  const [first] = copies;
  if (!first) return;
  await tx.query(
    `update songs set duplicate_of = nullif($3, analysis_id) where workspace_id = $1 and analysis_id = any ($2)`,
    [workspaceId, copies.map(({ id }) => id), first.id],
  );
}

async function insertTerms(tx: Transaction, ids: SongIds, terms: readonly string[]): Promise<void> {
  await tx.query(
    prepared(
      `insert into song_terms (workspace_id, analysis_id, term) select $1, $2, unnest($3::text[]) on conflict do nothing`,
    ),
    [ids.workspaceId, ids.analysisId, terms],
  );
}

async function deleteTerms(tx: Transaction, ids: SongIds, terms: readonly string[]): Promise<void> {
  await tx.query('delete from song_terms where workspace_id = $1 and term = any ($3) and analysis_id = $2', [
    ids.workspaceId,
    ids.analysisId,
    terms,
  ]);
}

/** Chosen: rows that are left behind are listed by so many. */
const LEFT_BEHIND_MAX = 100;

/** Rows made by an older version. */
export function listOutdated(db: Queryable, shelfVersion: number, without: string[]): Promise<SongIds[]> {
  return db.query<SongIds>(
    `select analysis_id as "analysisId", workspace_id as "workspaceId" from songs
     where shelf_version < $1 and analysis_id <> all ($2) limit ${LEFT_BEHIND_MAX}`,
    [shelfVersion, without],
  );
}

/** Analyses that a release without a shelf has taken in or ended since then. Reads all that ended since. */
export function listUnshelved(db: Queryable, since: Date, without: string[]): Promise<SongIds[]> {
  return db.query<SongIds>(
    `select a.id as "analysisId", a.workspace_id as "workspaceId" from analyses a left join songs s on s.analysis_id = a.id
     where a.completed_at > $1 and a.deleted_at is null and a.workspace_id is not null and a.id <> all ($2)
       and (s.analysis_id is null or (a.status = 'completed' and s.duration_seconds is null)) limit ${LEFT_BEHIND_MAX}`,
    [since, without],
  );
}

/** Rows of this version and later have prefixes among their terms. */
const PREFIXES_SINCE_VERSION = 3;

/** Whether every song of a workspace has the first letters of its words among its terms. */
export async function havePrefixes(db: Queryable, workspaceId: string): Promise<boolean> {
  const left = await db.query(
    `select from songs where workspace_id = $1 and shelf_version < ${PREFIXES_SINCE_VERSION} limit 1`,
    [workspaceId],
  );
  return left.length === 0;
}
