import { type Corrections, type ResultDocument, reapplyCorrections } from '@earshot/exports';
import type { Queryable } from '../platform/postgres.ts';
import { type CorrectionRow, findCorrection } from './store.ts';

/** The result with the user's corrections applied. Everything that shows a result reads it through this. */
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

/**
 * Replaces relative changes ("double", "two beats later") by the values they had when the user made them: a newer engine may hear another
 * tempo, and doubling it again would be wrong.
 */
function resolvedChanges({ changes, bpm, first_downbeat_seconds }: CorrectionRow): Corrections {
  return { ...changes, tempo: bpm, first_downbeat_seconds, shift_beats: null };
}
