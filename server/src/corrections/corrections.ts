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

/** Null when nothing was corrected. */
export async function getCorrection(
  ctx: MemberContext,
  analysisId: string,
): Promise<store.CorrectionRow | null> {
  const analysis = await getAnalysisOfWorkspace(ctx, analysisId);
  return store.findCorrection(ctx.db, ctx.actor.workspaceId, analysis.id);
}

/**
 * From now on shown wherever the song is shown. The engine's result stays stored unchanged: an estimate and a correction are two
 * different claims, and a correction can be removed.
 */
export async function replaceCorrection(
  ctx: MemberContext,
  analysisId: string,
  { changes, note }: { changes: Corrections; note: string | null },
): Promise<store.CorrectionRow | null> {
  const kinds = kindsOf(changes);
  if (kinds.length === 0 && note === null) return removeCorrection(ctx, analysisId);
  const { workspaceId, userId } = ctx.actor;
  const analysis = await getAnalysisOfWorkspace(ctx, analysisId);
  const heard = await readHeardDocument(ctx, analysis);
  if (heard === null) {
    throw new AppError(
      'not_finished',
      `This analysis is ${analysis.status}: there is no estimate to correct.`,
    );
  }
  const corrected = applyOrRefuse(heard, changes);
  return ctx.db.transaction(async (tx) => {
    await lockAnalysisOfWorkspace(ctx, tx, analysisId);
    await store.saveCorrection(tx, {
      analysisId,
      workspaceId,
      changes,
      kinds,
      bpm: changes.tempo == null ? null : corrected.bpm,
      first_downbeat_seconds: firstDownbeatOf(heard, changes),
      note,
      correctedBy: userId,
      now: ctx.clock(),
    });
    await recordAudit(tx, ctx, {
      action: 'correction.save',
      targetType: 'analysis',
      targetId: analysisId,
      metadata: { kinds, bpm: corrected.bpm, key: corrected.key_notation, note },
    });
    await indexResult(tx, { workspaceId, analysisId }, corrected);
    return store.findCorrection(tx, workspaceId, analysisId);
  });
}

/** Succeeds without a correction, too. */
export async function removeCorrection(ctx: MemberContext, analysisId: string): Promise<null> {
  const { workspaceId } = ctx.actor;
  await ctx.db.transaction(async (tx) => {
    // Locked first: an analysis that ended meanwhile would stay indexed with the correction.
    const analysis = await lockAnalysisOfWorkspace(ctx, tx, analysisId);
    if (!(await store.deleteCorrection(tx, workspaceId, analysisId))) return;
    const heard = await readHeardDocument({ db: tx }, analysis);
    if (heard !== null) await indexResult(tx, { workspaceId, analysisId }, heard);
    await recordAudit(tx, ctx, {
      action: 'correction.remove',
      targetType: 'analysis',
      targetId: analysisId,
    });
  });
  return null;
}

/** A correction that contradicts the song, such as a section after its end, is refused as invalid input. */
function applyOrRefuse(heard: ResultDocument, changes: Corrections): ResultDocument {
  try {
    return applyCorrections(heard, changes).document;
  } catch (error) {
    if (!(error instanceof CorrectionContradicts)) throw error;
    const loc = ['body', ...error.path.map(String)];
    throw new ValidationFailed([valueError(loc, error.message, null)]);
  }
}

/** Before single beats are edited: that is when the bars are counted, also when the correction is applied again. */
function firstDownbeatOf(heard: ResultDocument, changes: Corrections): number | null {
  if (changes.first_downbeat_seconds != null) return changes.first_downbeat_seconds;
  if (changes.shift_beats == null) return null;
  const { document } = applyCorrections(heard, { ...changes, beats: null });
  return document.rhythm?.downbeats[0]?.time_seconds ?? null;
}
