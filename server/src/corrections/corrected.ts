import { type Corrections, type ResultDocument, reapplyCorrections } from '@earshot/exports';
import type { Queryable } from '../platform/postgres.ts';
import { type CorrectionRow, findCorrection } from './store.ts';

/** The result as people say it is: what everything that shows a result reads. */
export async function correctDocument(
  db: Queryable,
  ids: { workspaceId: string; analysisId: string },
  heard: ResultDocument,
): Promise<ResultDocument> {
  const row = await findCorrection(db, ids.workspaceId, ids.analysisId);
  return row === null ? heard : applyRow(heard, row);
}

function applyRow(heard: ResultDocument, row: CorrectionRow): ResultDocument {
  const { document, kinds } = reapplyCorrections(heard, resolvedChanges(row));
  return {
    ...document,
    corrections: {
      kinds,
      heard: {
        bpm: heard.bpm,
        time_signature: heard.time_signature,
        first_downbeat_seconds: heard.rhythm?.downbeats[0]?.time_seconds ?? null,
        key_notation: heard.key_notation,
        camelot: heard.camelot,
      },
      note: row.note,
      corrected_by: row.corrected_by,
      updated_at: row.updated_at.toISOString(),
    },
  };
}

/** "Double" and "two beats later" as what they came to when they were said. */
function resolvedChanges(row: CorrectionRow): Corrections {
  const { tempo, shift_beats, ...changes } = row.changes;
  return {
    ...changes,
    tempo: tempo == null ? null : (row.bpm ?? tempo),
    first_downbeat_seconds: shift_beats == null ? changes.first_downbeat_seconds : row.first_downbeat_seconds,
  };
}
