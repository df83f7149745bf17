import type { Transaction } from '../platform/postgres.ts';
import { isSameRecording, keysOf } from './recording.ts';
import type { SongIds } from './song.ts';

/** Songs that are one recording: the first of them is the one, the others say whose copies they are (`songs.duplicate_of`). */

type Heard = { sha256: string; recording: readonly number[] | null; durationSeconds: number };

/** The same bytes, or bytes that sound the same. */
export async function linkRecording(tx: Transaction, ids: SongIds, heard: Heard): Promise<void> {
  const { workspaceId, analysisId } = ids;
  if (heard.recording !== null && (await isKnown(tx, ids, heard.recording))) return;
  // Two copies that end at the same time would not see each other.
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('recordings:' || $1, 0))`, [workspaceId]);
  await saveKeys(tx, ids, heard.recording);
  const roots = await holdRoots(tx, ids, heard);
  const first = [analysisId, ...roots].sort()[0]!;
  await tx.query(
    `update songs set duplicate_of = nullif($3, analysis_id)
     where workspace_id = $1 and (analysis_id = any ($2) or duplicate_of = any ($2)) and duration_seconds is not null`,
    [workspaceId, [analysisId, ...roots], first],
  );
}

/**
 * The first of each recording this is a copy of, kept from deletion until the transaction ends. One that was deleted while we waited for
 * it, or before, is no first any more: its copy stands for itself.
 */
async function holdRoots(tx: Transaction, ids: SongIds, heard: Heard): Promise<string[]> {
  const { workspaceId, analysisId } = ids;
  const copies = [
    ...(await listBySha256(tx, ids, heard.sha256)),
    ...(heard.recording === null ? [] : await listByKeys(tx, ids, { ...heard, recording: heard.recording })),
  ];
  const held = await tx.query<{ id: string }>(
    `select analysis_id as id from songs where workspace_id = $1 and analysis_id = any ($2)
     order by analysis_id for no key update`,
    [workspaceId, copies.flatMap(({ id, duplicateOf }) => (duplicateOf === null ? [id] : [id, duplicateOf]))],
  );
  const living = new Set(held.map(({ id }) => id));
  const roots = copies
    .filter(({ id }) => living.has(id))
    .map(({ id, duplicateOf }) => (duplicateOf !== null && living.has(duplicateOf) ? duplicateOf : id));
  return [...new Set(roots)].filter((id) => id !== analysisId);
}

export async function deleteRecording(tx: Transaction, { analysisId }: SongIds): Promise<void> {
  await tx.query('delete from song_recordings where analysis_id = $1', [analysisId]);
}

/** A correction changes nothing of what a recording is known by. */
async function isKnown(
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
  await tx.query('delete from song_recordings where analysis_id = $1 and hash <> all ($2)', [
    analysisId,
    keys,
  ]);
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

/** A silent or very common beginning may give many songs one key: no more are looked at than this. */
const COPIES_MAX = 200;

async function listByKeys(
  tx: Transaction,
  { workspaceId, analysisId }: SongIds,
  heard: Heard & { recording: readonly number[] },
): Promise<Copy[]> {
  const rows = await tx.query<Copy & { recording: number[]; duration_seconds: number }>(
    `select s.analysis_id as id, s.duplicate_of as "duplicateOf", s.recording, s.duration_seconds
     from (select analysis_id from song_recordings where workspace_id = $1 and hash = any ($3::int[]) and analysis_id <> $2
       group by analysis_id order by count(*) desc, analysis_id limit $4) near
     join songs s on s.analysis_id = near.analysis_id
     where s.workspace_id = $1 and s.recording is not null and s.duration_seconds is not null`,
    [workspaceId, analysisId, keysOf(heard.recording), COPIES_MAX],
  );
  const own = { sketch: heard.recording, durationSeconds: heard.durationSeconds };
  return rows.filter(({ recording, duration_seconds }) =>
    isSameRecording(own, { sketch: recording, durationSeconds: duration_seconds }),
  );
}
