import { recordAudit } from '../audit/audit.ts';
import type { Context, Dependencies, MemberContext } from '../context.ts';
import { AppError, notFound } from '../errors.ts';
import { sweepEach } from '../jobs/sweep-each.ts';
import type { Transaction } from '../platform/postgres.ts';
import { deleteUnneededObject } from '../storage-objects/storage-objects.ts';
import { lockAnalysisOfWorkspace } from './analyses.ts';
import { type Analysis, hasEnded, hasSource } from './analysis.ts';
import { tryToDeleteFile } from './erase.ts';
import { appendEvent } from './events.ts';
import { listPastSourceRetention, stopRetainingSource } from './retention-store.ts';
import * as store from './store.ts';

/** Deletes the audio of an analysis that has ended, unless it is retained or another analysis needs it. */
export async function deleteSource(ctx: Context, analysisId: string): Promise<void> {
  const analysis = await store.findAnalysis(ctx.db, analysisId);
  if (!analysis || analysis.storageObjectId === null || analysis.retainSource) return;
  if (!(await tryToDeleteFile(ctx, analysis.storageObjectId))) return;
  await ctx.db.transaction(async (tx) => {
    // A deletion meanwhile has erased all events.
    if (!(await store.lockAnalysis(tx, analysisId))) return;
    await appendEvent(tx, analysisId, 'source.deleted', 'The audio was deleted.');
  });
}

/** On request, before retention would. The result stays. */
export async function deleteRetainedSource(ctx: MemberContext, id: string): Promise<void> {
  const objectId = await ctx.db.transaction(async (tx) => {
    const locked = await lockAnalysisOfWorkspace(ctx, tx, id);
    if (!hasEnded(locked)) {
      throw new AppError(
        'not_finished',
        `This analysis is ${locked.status} and needs its audio. Cancel it first.`,
      );
    }
    if (!hasSource(locked)) throw notFound();
    await releaseSource(ctx, tx, locked, 'The audio was deleted on request.');
    await recordAudit(tx, ctx, { action: 'analysis.delete_source', targetType: 'analysis', targetId: id });
    return locked.storageObjectId;
  });
  if (objectId !== null) await deleteUnneededObject(ctx, objectId);
}

/** Bounds the time of one sweep; the next, a minute later, takes the rest. */
const SOURCES_PER_SWEEP_MAX = 200;

/** Deletes audio past the retention of its workspace. */
export async function sweepExpiredSources(ctx: Dependencies): Promise<number> {
  const ids = await listPastSourceRetention(ctx.db, ctx.clock(), SOURCES_PER_SWEEP_MAX);
  return sweepEach(ctx, ids, async (id) => {
    const objectId = await ctx.db.transaction(async (tx) => {
      const locked = await store.lockAnalysis(tx, id);
      const message = 'The audio was deleted: its retention in this workspace is over.';
      if (locked) await releaseSource(ctx, tx, locked, message);
      return locked?.storageObjectId ?? null;
    });
    if (objectId !== null) await deleteUnneededObject(ctx, objectId);
  });
}

/** Before the bytes are deleted: those that a crash leaves behind are needed by no analysis, and a sweep deletes them. */
async function releaseSource(
  ctx: Dependencies,
  tx: Transaction,
  analysis: Analysis,
  message: string,
): Promise<void> {
  await stopRetainingSource(tx, analysis.id, ctx.clock());
  if (hasSource(analysis)) await appendEvent(tx, analysis.id, 'source.deleted', message);
}
