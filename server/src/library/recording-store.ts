import type { Transaction } from '../platform/postgres.ts';
import { isSameRecording, keysOf, type Recording } from './recording.ts';
import type { SongIds } from './song.ts';

/** Of several songs with the same recording the first is the original; `songs.duplicate_of` of the others refers to it. */

type RecordingFeatures = { sha256: string; recording: readonly number[] | null; durationSeconds: number };

/** Links the song to others with the same bytes or the same acoustic fingerprint. */
export async function linkRecording(
  tx: Transaction,
  ids: SongIds,
  features: RecordingFeatures,
): Promise<void> {
  const { workspaceId, analysisId } = ids;
  if (features.recording !== null && (await isUnchanged(tx, ids, features.recording))) return;
  // Without the lock, two copies that complete at the same time would not see each other.
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('recordings:' || $1, 0))`, [workspaceId]);
  await saveKeys(tx, ids, features.recording);
  const originals = await lockOriginals(tx, ids, features);
  const first = [analysisId, ...originals].sort()[0]!;
  await tx.query(
    `update songs set duplicate_of = nullif($3, analysis_id)
     where workspace_id = $1 and (analysis_id = any ($2) or duplicate_of = any ($2)) and duration_seconds is not null`,
    [workspaceId, [analysisId, ...originals], first],
  );
}

/**
 * The originals of the matching songs, locked against deletion until the transaction ends. Where an original has been deleted, also
 * while we waited for its lock, the matching copy itself takes its place.
 */
async function lockOriginals(tx: Transaction, ids: SongIds, features: RecordingFeatures): Promise<string[]> {
  const { workspaceId, analysisId } = ids;
  const copies = [
    ...(await listBySha256(tx, ids, features.sha256)),
    ...(features.recording === null
      ? []
      : await listByKeys(tx, ids, {
          sketch: features.recording,
          durationSeconds: features.durationSeconds,
        })),
  ];
  const locked = await tx.query<{ id: string }>(
    `select analysis_id as id from songs where workspace_id = $1 and analysis_id = any ($2)
     order by analysis_id for no key update`,
    [workspaceId, copies.flatMap(({ id, duplicateOf }) => (duplicateOf === null ? [id] : [id, duplicateOf]))],
  );
  const existing = new Set(locked.map(({ id }) => id));
  const originals = copies
    .filter(({ id }) => existing.has(id))
    .map(({ id, duplicateOf }) => (duplicateOf !== null && existing.has(duplicateOf) ? duplicateOf : id));
  return [...new Set(originals)].filter((id) => id !== analysisId);
}

export async function deleteRecording(tx: Transaction, { workspaceId, analysisId }: SongIds): Promise<void> {
  await tx.query('delete from song_recordings where workspace_id = $1 and analysis_id = $2', [
    workspaceId,
    analysisId,
  ]);
}

/** Makes the oldest remaining copy of a deleted song the new original. Waits for copies that are being deleted, and skips them. */
export async function promoteNextCopy(tx: Transaction, { workspaceId, analysisId }: SongIds): Promise<void> {
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

/** True after a correction of tempo or key: the fingerprint is the same, and so are the copies. */
async function isUnchanged(
  tx: Transaction,
  { workspaceId, analysisId }: SongIds,
  recording: readonly number[],
): Promise<boolean> {
  const { same } = await tx.one<{ same: boolean }>(
    `select coalesce(recording = $3::int[], false) as same from songs where analysis_id = $2 and workspace_id = $1`,
    [workspaceId, analysisId, recording],
  );
  return same;
}

async function saveKeys(
  tx: Transaction,
  { workspaceId, analysisId }: SongIds,
  recording: readonly number[] | null,
): Promise<void> {
  await tx.query('update songs set recording = $3 where analysis_id = $2 and workspace_id = $1', [
    workspaceId,
    analysisId,
    recording,
  ]);
  const keys = recording === null ? [] : keysOf(recording);
  await tx.query(
    'delete from song_recordings where workspace_id = $1 and analysis_id = $2 and hash <> all ($3)',
    [workspaceId, analysisId, keys],
  );
  await tx.query(
    `insert into song_recordings (workspace_id, hash, analysis_id) select $1, unnest($3::int[]), $2
     on conflict do nothing`,
    [workspaceId, analysisId, keys],
  );
}

type Copy = { id: string; duplicateOf: string | null };

function listBySha256(
  tx: Transaction,
  { workspaceId, analysisId }: SongIds,
  sha256: string,
): Promise<Copy[]> {
  return tx.query<Copy>(
    `select analysis_id as id, duplicate_of as "duplicateOf" from songs
     where workspace_id = $1 and sha256 = $3 and analysis_id <> $2 and duration_seconds is not null order by analysis_id limit $4`,
    [workspaceId, analysisId, sha256, COPIES_MAX],
  );
}

/** Many songs may share a key, such as that of silence. At most these, the ones with most keys in common, are compared. */
const COPIES_MAX = 200;

async function listByKeys(
  tx: Transaction,
  { workspaceId, analysisId }: SongIds,
  own: Recording,
): Promise<Copy[]> {
  const rows = await tx.query<Copy & { recording: number[]; duration_seconds: number }>(
    `select s.analysis_id as id, s.duplicate_of as "duplicateOf", s.recording, s.duration_seconds
     from (select analysis_id from song_recordings where workspace_id = $1 and hash = any ($3::int[]) and analysis_id <> $2
       group by analysis_id order by count(*) desc, analysis_id limit $4) near
     join songs s on s.analysis_id = near.analysis_id
     where s.workspace_id = $1 and s.recording is not null and s.duration_seconds is not null`,
    [workspaceId, analysisId, keysOf(own.sketch), COPIES_MAX],
  );
  return rows.filter(({ recording, duration_seconds }) =>
    isSameRecording(own, { sketch: recording, durationSeconds: duration_seconds }),
  );
}
