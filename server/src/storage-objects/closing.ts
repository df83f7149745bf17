import type { Dependencies } from '../context.ts';
import * as store from './store.ts';

/** Deletes up to `limit` files of a closed workspace; returns how many it deleted. */
export async function eraseSomeObjectsOfWorkspace(
  ctx: Pick<Dependencies, 'db' | 'storage'>,
  workspaceId: string,
  limit: number,
): Promise<number> {
  const objects = await store.listStoredOfWorkspace(ctx.db, workspaceId, limit);
  for (const { id, key } of objects) {
    // Bytes before the row: after a crash between the two, the row is found and deleted again.
    await ctx.storage.delete(key);
    await store.markDeleted(ctx.db, id);
  }
  return objects.length;
}
