import { enqueue } from '../jobs/queue.ts';
import type { Transaction } from '../platform/postgres.ts';
import type { WebhookDelivery } from './delivery-store.ts';

/** Queues the job of a delivery's next attempt; `runAt` null is now. */
export async function queueAttempt(
  tx: Transaction,
  { id, endpointId, workspaceId }: WebhookDelivery,
  runAt: Date | null,
): Promise<void> {
  await enqueue(tx, {
    kind: 'webhook.deliver',
    // The queue is fair between tenants: a slow endpoint delays only itself. Jobs' own webhook_urls share the turns of their workspace.
    tenant: endpointId ?? workspaceId,
    payload: { deliveryId: id },
    ...(runAt === null ? {} : { runAt }),
  });
}
