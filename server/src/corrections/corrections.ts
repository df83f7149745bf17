import { getAnalysisOfWorkspace } from '../analyses/analyses.ts';
import { recordAudit } from '../audit/audit.ts';
import type { MemberContext } from '../context.ts';
import { AppError } from '../errors.ts';
import * as store from './store.ts';

/** Null when nobody has corrected anything. */
export async function getCorrection(
  ctx: MemberContext,
  analysisId: string,
): Promise<store.CorrectionRow | null> {
  const analysis = await getAnalysisOfWorkspace(ctx, analysisId);
  return store.findCorrection(ctx.db, ctx.actor.workspaceId, analysis.id);
}

/** Kept beside the result, which never changes: an estimate and a correction are two different claims. */
export async function replaceCorrection(
  ctx: MemberContext,
  analysisId: string,
  values: store.CorrectionValues,
): Promise<store.CorrectionRow | null> {
  const { workspaceId, userId } = ctx.actor;
  const analysis = await getAnalysisOfWorkspace(ctx, analysisId);
  if (analysis.status !== 'completed') {
    throw new AppError(
      'not_finished',
      `This analysis is ${analysis.status}: there is no estimate to correct.`,
    );
  }
  const empty = Object.values(values).every((value) => value === null);
  return ctx.db.transaction(async (tx) => {
    const row = { ...values, analysisId, workspaceId, correctedBy: userId, now: ctx.clock() };
    await (empty ? store.deleteCorrection(tx, workspaceId, analysisId) : store.saveCorrection(tx, row));
    await recordAudit(tx, ctx, {
      action: empty ? 'correction.remove' : 'correction.save',
      targetType: 'analysis',
      targetId: analysisId,
      metadata: empty ? {} : { ...values },
    });
    return store.findCorrection(tx, workspaceId, analysisId);
  });
}
