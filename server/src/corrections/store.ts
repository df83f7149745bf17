import type { CorrectionKind, Corrections } from '@earshot/exports';
import type { Queryable, Transaction } from '../platform/postgres.ts';

export type CorrectionRow = {
  /** As it was said. */
  changes: Corrections;
  kinds: CorrectionKind[];
  /** What the tempo came to. */
  bpm: number | null;
  /** Where the shift of the bars came to. */
  first_downbeat_seconds: number | null;
  note: string | null;
  corrected_by: string;
  updated_at: Date;
};

/** A release before this one wrote no `changes`; both run side by side for a while. */
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

export type CorrectedCounts = { byKind: Record<string, number>; songCount: number };

/** By kind, and `any`. Reads every correction. */
export async function countCorrected(db: Queryable): Promise<CorrectedCounts> {
  const kinds = await db.query<{ kind: string; count: number }>(
    `select kind, count(*)::int as count from analysis_corrections, unnest(array_append(kinds, 'any')) as kind
     where kinds <> '{}' group by kind`,
  );
  // The estimate is -1 until the table was analyzed for the first time.
  const { songCount } = await db.one<{ songCount: number }>(
    `select greatest(reltuples, 0)::float8 as "songCount" from pg_class where oid = 'songs'::regclass`,
  );
  return { songCount, byKind: Object.fromEntries(kinds.map(({ kind, count }) => [kind, count])) };
}

/** To another analysis of the same audio: what people said of the song holds, whichever version listened. */
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

export async function deleteCorrectionsOfAnalysis(tx: Transaction, analysisId: string): Promise<void> {
  await tx.query('delete from analysis_corrections where analysis_id = $1', [analysisId]);
}
