import type { Transaction } from '../platform/postgres.ts';
import { failDeliveriesOfWorkspace } from './delivery-store.ts';
import { deleteEndpointsOfWorkspace } from './endpoint-store.ts';

/** Stops all deliveries of a workspace that closes; the outcome of a call in progress is discarded. */
export async function closeWebhooksOfWorkspace(
  tx: Transaction,
  workspaceId: string,
  now: Date,
): Promise<void> {
  await deleteEndpointsOfWorkspace(tx, workspaceId, now);
  await failDeliveriesOfWorkspace(tx, workspaceId, 'The workspace was deleted');
}

export { deleteDeliveriesOfAnalysis as eraseDeliveriesOfAnalysis } from './delivery-store.ts';
