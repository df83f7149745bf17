import type { Queryable, Transaction } from '../platform/postgres.ts';

export type CorrectionValues = {
  bpm: number | null;
  key: string | null;
  first_downbeat_seconds: number | null;
  note: string | null;
};

export type CorrectionRow = CorrectionValues & { corrected_by: string; updated_at: Date };

export function findCorrection(
  db: Queryable,
  workspaceId: string,
  analysisId: string,
): Promise<CorrectionRow | null> {
  return db.maybeOne<CorrectionRow>(
    `select bpm, key, first_downbeat_seconds, note, corrected_by, updated_at
     from analysis_corrections where analysis_id = $1 and workspace_id = $2`,
    [analysisId, workspaceId],
  );
}

export async function saveCorrection(
  tx: Transaction,
  row: CorrectionValues & { analysisId: string; workspaceId: string; correctedBy: string; now: Date },
): Promise<void> {
  await tx.query(
    `insert into analysis_corrections
       (analysis_id, workspace_id, bpm, key, first_downbeat_seconds, note, corrected_by, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (analysis_id) do update set bpm = excluded.bpm, key = excluded.key,
       first_downbeat_seconds = excluded.first_downbeat_seconds, note = excluded.note,
       corrected_by = excluded.corrected_by, updated_at = excluded.updated_at`,
    [
      row.analysisId,
      row.workspaceId,
      row.bpm,
      row.key,
      row.first_downbeat_seconds,
      row.note,
      row.correctedBy,
      row.now,
    ],
  );
}

export async function deleteCorrection(
  tx: Transaction,
  workspaceId: string,
  analysisId: string,
): Promise<void> {
  await tx.query('delete from analysis_corrections where analysis_id = $1 and workspace_id = $2', [
    analysisId,
    workspaceId,
  ]);
}
