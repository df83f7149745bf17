import type { Context } from '../context.ts';
import { deleteUnneededObject } from '../storage-objects/storage-objects.ts';
import { recordEvent } from './events.ts';
import { findAnalysis } from './store.ts';

/** Deletes the audio of an analysis that has ended, unless its owner keeps it or another analysis needs it. */
export async function deleteSource(ctx: Context, analysisId: string): Promise<void> {
  const analysis = await findAnalysis(ctx.db, analysisId);
  if (!analysis || analysis.storageObjectId === null || analysis.retainSource) return;
  if (!(await deleteUnneededObject(ctx, analysis.storageObjectId))) return;
  await ctx.db.transaction((tx) => recordEvent(tx, analysisId, 'source.deleted', 'The audio was deleted.'));
}
