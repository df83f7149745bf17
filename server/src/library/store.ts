import type { Queryable, Transaction } from '../platform/postgres.ts';
import { prepared } from '../platform/prepared.ts';
import type { Description, FileNames, Naming, SongFeatures, SongIds } from './song.ts';

export type SongRow = {
  analysisId: string;
  file: FileNames;
  description: Description;
  terms: string[];
};

/** The hash of an upload is known before its analysis: a client that looks the file up by it need not upload it again. */
const UPLOADED_SHA256 = `(select o.sha256 from analyses a join storage_objects o on o.id = a.storage_object_id
    and o.workspace_id = a.workspace_id
  where a.id = $1 and a.workspace_id = $2)`;

/** Inserts the row complete with its names: a later update would write its many indexes twice. */
export async function insertNewSong(
  tx: Transaction,
  song: SongIds & { createdAt: Date },
  { title, artist, album, titleKey, artistKey, terms }: Naming,
  indexVersion: number,
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
      indexVersion,
    ],
  );
  await Promise.all([inserted, terms.length > 0 && insertTerms(tx, song, terms)]);
}

/** Does nothing if the song has a row, or its analysis is deleted: the lock waits for a deletion that is under way. */
export async function insertSong(tx: Transaction, { workspaceId, analysisId }: SongIds): Promise<void> {
  await tx.query(
    `insert into songs (analysis_id, workspace_id, created_at, sha256)
     select id, workspace_id, created_at, ${UPLOADED_SHA256} from analyses
     where id = $1 and workspace_id = $2 and deleted_at is null for share
     on conflict (analysis_id) do nothing`,
    [analysisId, workspaceId],
  );
}

/** Locks in the order of ids, so that two writers of the same songs do not deadlock. */
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
  const removed = termsBefore.filter((term) => !naming.terms.includes(term));
  const added = naming.terms.filter((term) => !termsBefore.includes(term));
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
    removed.length > 0 && deleteTerms(tx, ids, removed),
    added.length > 0 && insertTerms(tx, ids, added),
  ]);
}

export async function saveFeatures(
  tx: Transaction,
  ids: SongIds,
  features: SongFeatures,
  indexVersion: number,
): Promise<void> {
  await tx.query(
    `update songs set bpm = $3, key_notation = $4, camelot = $5, key_number = $6, energy = $7, danceability = $8,
       valence = $9, loudness_lufs = $10, duration_seconds = $11, genre = $12, mood = $13, voice = $14, artwork = $15,
       waveform = $16, sha256 = $17, shelf_version = $18
     where analysis_id = $2 and workspace_id = $1`,
    [
      ids.workspaceId,
      ids.analysisId,
      features.bpm,
      features.keyNotation,
      features.camelot,
      features.keyNumber,
      features.energy,
      features.danceability,
      features.valence,
      features.loudnessLufs,
      features.durationSeconds,
      features.genre,
      features.mood,
      features.voice,
      features.artwork,
      features.waveform && Buffer.from(features.waveform),
      features.sha256,
      indexVersion,
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

export async function markIndexed(tx: Transaction, ids: SongIds, indexVersion: number): Promise<void> {
  await tx.query('update songs set shelf_version = $3 where analysis_id = $2 and workspace_id = $1', [
    ids.workspaceId,
    ids.analysisId,
    indexVersion,
  ]);
}

export async function deleteSong(tx: Transaction, ids: SongIds): Promise<void> {
  const { workspaceId, analysisId } = ids;
  const row = await tx.maybeOne<{ terms: string[] }>(
    'delete from songs where analysis_id = $2 and workspace_id = $1 returning terms',
    [workspaceId, analysisId],
  );
  if (row) await deleteTerms(tx, ids, row.terms);
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

/** The backfill checks its time limit after each batch of this many songs. */
export const BACKFILL_BATCH_MAX = 100;

/** Rows that an older version wrote. Across workspaces: the sweeper backfills all of them. */
export function listOutdated(db: Queryable, indexVersion: number, excluded: string[]): Promise<SongIds[]> {
  return db.query<SongIds>(
    `select analysis_id as "analysisId", workspace_id as "workspaceId" from songs
     where shelf_version < $1 and analysis_id <> all ($2) limit ${BACKFILL_BATCH_MAX}`,
    [indexVersion, excluded],
  );
}

/**
 * Finished analyses that a release without the library index left unindexed, or indexed without their result. Reads every analysis that
 * finished after `since`, across workspaces: the sweeper backfills all of them.
 */
export function listUnindexed(db: Queryable, since: Date, excluded: string[]): Promise<SongIds[]> {
  return db.query<SongIds>(
    `select a.id as "analysisId", a.workspace_id as "workspaceId" from analyses a left join songs s on s.analysis_id = a.id
     where a.completed_at > $1 and a.deleted_at is null and a.workspace_id is not null and a.id <> all ($2)
       and (s.analysis_id is null or (a.status = 'completed' and s.duration_seconds is null)) limit ${BACKFILL_BATCH_MAX}`,
    [since, excluded],
  );
}

/** Rows of this and later versions have prefixes among their terms. */
const PREFIXES_SINCE_VERSION = 3;

export async function havePrefixes(db: Queryable, workspaceId: string): Promise<boolean> {
  const left = await db.query(
    `select from songs where workspace_id = $1 and shelf_version < ${PREFIXES_SINCE_VERSION} limit 1`,
    [workspaceId],
  );
  return left.length === 0;
}
