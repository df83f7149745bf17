import type { Transaction } from '../platform/postgres.ts';
import { failDeliveriesOfWorkspace } from './delivery-store.ts';
import { deleteEndpointsOfWorkspace } from './endpoint-store.ts';

/** Nothing is sent for a workspace that closes, not even what is under way. */
export async function closeWebhooksOfWorkspace(
  tx: Transaction,
  workspaceId: string,
  now: Date,
): Promise<void> {
  await deleteEndpointsOfWorkspace(tx, workspaceId, now);
  await failDeliveriesOfWorkspace(tx, workspaceId, 'The workspace was deleted');
}

export { deleteDeliveriesOfAnalysis as eraseDeliveriesOfAnalysis } from './delivery-store.ts';
