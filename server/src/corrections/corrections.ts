import {
  applyCorrections,
  CorrectionContradicts,
  type Corrections,
  kindsOf,
  type ResultDocument,
} from '@earshot/exports';
import { getAnalysisOfWorkspace, lockAnalysisOfWorkspace } from '../analyses/analyses.ts';
import { readHeardDocument } from '../analyses/reading/results.ts';
import { recordAudit } from '../audit/audit.ts';
import type { MemberContext } from '../context.ts';
import { AppError, ValidationFailed, valueError } from '../errors.ts';
import { indexResult } from '../library/index-song.ts';
import * as store from './store.ts';

export { copyCorrection } from './store.ts';

/** Null when nobody has corrected anything. */
export async function getCorrection(
  ctx: MemberContext,
  analysisId: string,
): Promise<store.CorrectionRow | null> {
  const analysis = await getAnalysisOfWorkspace(ctx, analysisId);
  return store.findCorrection(ctx.db, ctx.actor.workspaceId, analysis.id);
}

/**
 * The truth from now on, wherever the song is shown. The result of the engine stays as it is underneath: an estimate and a
 * correction are two different claims, and a correction can be taken back.
 */
export async function replaceCorrection(
  ctx: MemberContext,
  analysisId: string,
  said: { changes: Corrections; note: string | null },
): Promise<store.CorrectionRow | null> {
  const kinds = kindsOf(said.changes);
  if (kinds.length === 0 && said.note === null) return removeCorrection(ctx, analysisId);
  const { workspaceId, userId } = ctx.actor;
  const analysis = await getAnalysisOfWorkspace(ctx, analysisId);
  const heard = await readHeardDocument(ctx, analysis);
  if (heard === null) {
    throw new AppError(
      'not_finished',
      `This analysis is ${analysis.status}: there is no estimate to correct.`,
    );
  }
  const corrected = applyOrRefuse(heard, said.changes);
  return ctx.db.transaction(async (tx) => {
    await lockAnalysisOfWorkspace(ctx, tx, analysisId);
    await store.saveCorrection(tx, {
      analysisId,
      workspaceId,
      changes: said.changes,
      kinds,
      bpm: said.changes.tempo == null ? null : corrected.bpm,
      first_downbeat_seconds: firstDownbeatOf(said.changes, corrected),
      note: said.note,
      correctedBy: userId,
      now: ctx.clock(),
    });
    await recordAudit(tx, ctx, {
      action: 'correction.save',
      targetType: 'analysis',
      targetId: analysisId,
      metadata: { kinds, bpm: corrected.bpm, key: corrected.key_notation, note: said.note },
    });
    await indexResult(tx, { workspaceId, analysisId }, corrected);
    return store.findCorrection(tx, workspaceId, analysisId);
  });
}

/** Taking back what nobody said is no error. */
export async function removeCorrection(ctx: MemberContext, analysisId: string): Promise<null> {
  const { workspaceId } = ctx.actor;
  const heard = await readHeardDocument(ctx, await getAnalysisOfWorkspace(ctx, analysisId));
  await ctx.db.transaction(async (tx) => {
    if (!(await store.deleteCorrection(tx, workspaceId, analysisId))) return;
    if (heard !== null) await indexResult(tx, { workspaceId, analysisId }, heard);
    await recordAudit(tx, ctx, {
      action: 'correction.remove',
      targetType: 'analysis',
      targetId: analysisId,
    });
  });
  return null;
}

/** What cannot be true of this song is refused like any other input that does not fit. */
function applyOrRefuse(heard: ResultDocument, changes: Corrections): ResultDocument {
  try {
    return applyCorrections(heard, changes).document;
  } catch (error) {
    if (!(error instanceof CorrectionContradicts)) throw error;
    const loc = ['body', ...error.path.map(String)];
    throw new ValidationFailed([valueError(loc, error.message, null)]);
  }
}

function firstDownbeatOf(changes: Corrections, corrected: ResultDocument): number | null {
  if (changes.first_downbeat_seconds != null) return changes.first_downbeat_seconds;
  if (changes.shift_beats == null) return null;
  return corrected.rhythm?.downbeats[0]?.time_seconds ?? null;
}
