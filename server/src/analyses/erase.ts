import type { Dependencies } from '../context.ts';
import type { Transaction } from '../platform/postgres.ts';
import { deleteUnneededObject } from '../storage-objects/storage-objects.ts';
import type { Analysis } from './analysis.ts';
import * as store from './store.ts';

/** Erases what an analysis said and knew. Its files are removed by `remove`, once the transaction has committed. */
export async function eraseAnalysis(
  ctx: Dependencies,
  tx: Transaction,
  analysis: Analysis,
): Promise<{ remove(): Promise<void> }> {
  const artifactKeys = await store.listArtifactKeys(tx, analysis.id);
  await store.markDeleted(tx, analysis.id, ctx.clock());
  return {
    async remove() {
      for (const key of artifactKeys) await ctx.storage.delete(key);
      if (analysis.storageObjectId !== null) await deleteUnneededObject(ctx, analysis.storageObjectId);
    },
  };
}
