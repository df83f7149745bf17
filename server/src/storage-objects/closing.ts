import type { Dependencies } from '../context.ts';
import * as store from './store.ts';

/** Removes some of the files of a workspace that is closed; how many. */
export async function eraseSomeObjectsOfWorkspace(
  ctx: Pick<Dependencies, 'db' | 'storage'>,
  workspaceId: string,
  limit: number,
): Promise<number> {
  const objects = await store.listStoredOfWorkspace(ctx.db, workspaceId, limit);
  for (const { id, key } of objects) {
    // Bytes before the row: a crash between the two leaves a row, which is found again.
    await ctx.storage.delete(key);
    await store.markDeleted(ctx.db, id);
  }
  return objects.length;
}
