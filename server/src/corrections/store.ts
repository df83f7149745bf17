import type { CorrectionKind, Corrections } from '@earshot/exports';
import type { Queryable, Transaction } from '../platform/postgres.ts';

export type CorrectionRow = {
  /** As the user sent it. */
  changes: Corrections;
  kinds: CorrectionKind[];
  /** The corrected tempo; null when the tempo was not corrected. */
  bpm: number | null;
  /** The corrected first downbeat; null when it was not corrected. */
  first_downbeat_seconds: number | null;
  note: string | null;
  corrected_by: string;
  updated_at: Date;
};

/** Rows of older releases have no `changes`. */
const COLUMNS = `coalesce(changes, jsonb_strip_nulls(jsonb_build_object('tempo', bpm, 'key', key,
    'first_downbeat_seconds', first_downbeat_seconds))) as changes,
  kinds, bpm, first_downbeat_seconds, note, corrected_by, updated_at`;

export function findCorrection(
  db: Queryable,
  workspaceId: string,
  analysisId: string,
): Promise<CorrectionRow | null> {
  return db.maybeOne<CorrectionRow>(
    `select ${COLUMNS} from analysis_corrections where analysis_id = $1 and workspace_id = $2`,
    [analysisId, workspaceId],
  );
}

export async function saveCorrection(
  tx: Transaction,
  row: Omit<CorrectionRow, 'corrected_by' | 'updated_at'> & {
    analysisId: string;
    workspaceId: string;
    correctedBy: string;
    now: Date;
  },
): Promise<void> {
  await tx.query(
    `insert into analysis_corrections
       (analysis_id, workspace_id, changes, kinds, bpm, key, first_downbeat_seconds, note, corrected_by, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (analysis_id) do update set changes = excluded.changes, kinds = excluded.kinds, bpm = excluded.bpm,
       key = excluded.key, first_downbeat_seconds = excluded.first_downbeat_seconds, note = excluded.note,
       corrected_by = excluded.corrected_by, updated_at = excluded.updated_at`,
    [
      row.analysisId,
      row.workspaceId,
      JSON.stringify(row.changes),
      row.kinds,
      row.bpm,
      row.changes.key ?? null,
      row.first_downbeat_seconds,
      row.note,
      row.correctedBy,
      row.now,
    ],
  );
}

/** Whether there was one. */
export async function deleteCorrection(
  tx: Transaction,
  workspaceId: string,
  analysisId: string,
): Promise<boolean> {
  const rows = await tx.query(
    'delete from analysis_corrections where analysis_id = $1 and workspace_id = $2 returning analysis_id',
    [analysisId, workspaceId],
  );
  return rows.length > 0;
}

export type CorrectedCounts = { byKind: Record<string, number>; songCount: number | null };

/** Counts each kind, and `any` once per song. Reads every correction of all workspaces, for the metrics. */
export async function countCorrected(db: Queryable): Promise<CorrectedCounts> {
  const kinds = await db.query<{ kind: string; count: number }>(
    `select kind, count(*)::int as count from analysis_corrections, unnest(array_append(kinds, 'any')) as kind
     where kinds <> '{}' group by kind`,
  );
  // PostgreSQL's estimate is -1 until the table has been analyzed once.
  const { songCount } = await db.one<{ songCount: number | null }>(
    `select nullif(reltuples, -1)::float8 as "songCount" from pg_class where oid = 'songs'::regclass`,
  );
  return { songCount, byKind: Object.fromEntries(kinds.map(({ kind, count }) => [kind, count])) };
}

/** Copies a correction to a new analysis of the same audio: it is about the song, not about the engine's version. */
export async function copyCorrection(
  tx: Transaction,
  workspaceId: string,
  pair: { oldId: string; newId: string },
): Promise<void> {
  await tx.query(
    `insert into analysis_corrections
       (analysis_id, workspace_id, changes, kinds, bpm, key, first_downbeat_seconds, note, corrected_by, updated_at)
     select $3, workspace_id, changes, kinds, bpm, key, first_downbeat_seconds, note, corrected_by, updated_at
     from analysis_corrections where analysis_id = $2 and workspace_id = $1`,
    [workspaceId, pair.oldId, pair.newId],
  );
}

/** Not scoped by workspace: an id names one analysis, which the caller has locked. */
export async function deleteCorrectionsOfAnalysis(tx: Transaction, analysisId: string): Promise<void> {
  await tx.query('delete from analysis_corrections where analysis_id = $1', [analysisId]);
}
