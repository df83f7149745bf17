import { eraseItemsOfAnalysis } from '../collections/closing.ts';
import type { Dependencies } from '../context.ts';
import { eraseCorrectionsOfAnalysis } from '../corrections/closing.ts';
import { removeFromIndex } from '../library/index-song.ts';
import type { Transaction } from '../platform/postgres.ts';
import { eraseSharesOfAnalysis } from '../shares/closing.ts';
import { deleteUnneededObject } from '../storage-objects/storage-objects.ts';
import { eraseDeliveriesOfAnalysis } from '../webhooks/closing.ts';
import type { Analysis } from './analysis.ts';
import { deleteReport } from './report/report-store.ts';
import * as store from './store.ts';

/** For callers whose work is done without it: a failure is only logged, and a sweep deletes the file. False if nothing was deleted. */
export function tryToDeleteFile(ctx: Dependencies, objectId: string): Promise<boolean> {
  return deleteUnneededObject(ctx, objectId).catch((error: unknown) => {
    ctx.log.warn({ err: error, objectId }, 'A file was not deleted; a sweep will delete it');
    return false;
  });
}

/** Erases an analysis but for its tombstone. Returns what deletes its files, to be called once the transaction has committed. */
export async function eraseAnalysis(
  ctx: Dependencies,
  tx: Transaction,
  analysis: Analysis,
): Promise<() => Promise<void>> {
  if (analysis.workspaceId !== null) {
    await removeFromIndex(tx, { workspaceId: analysis.workspaceId, analysisId: analysis.id });
  }
  await eraseDeliveriesOfAnalysis(tx, analysis.id);
  await eraseCorrectionsOfAnalysis(tx, analysis.id);
  await eraseSharesOfAnalysis(tx, analysis.id);
  await eraseItemsOfAnalysis(tx, analysis.id);
  await store.markDeleted(tx, analysis.id, ctx.clock());
  const reportObjectId = await deleteReport(tx, analysis.id);
  return async () => {
    for (const objectId of [analysis.storageObjectId, reportObjectId])
      if (objectId !== null) await deleteUnneededObject(ctx, objectId);
  };
}
