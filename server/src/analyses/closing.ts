import type { Transaction } from '../platform/postgres.ts';
import { notifyListeners } from './events.ts';
import * as store from './store.ts';

/** A worker that is running one is notified, finds it ended and stops. */
export async function closeAnalysesOfWorkspace(
  tx: Transaction,
  workspaceId: string,
  now: Date,
): Promise<void> {
  for (const id of await store.cancelOpenOfWorkspace(tx, workspaceId, now)) await notifyListeners(tx, id);
}

export { deleteSomeOfWorkspace as eraseSomeAnalysesOfWorkspace } from './store.ts';
