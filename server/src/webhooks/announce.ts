import type { SubscribableEventType, WebhookEventType } from '@earshot/contract';
import type { Dependencies } from '../context.ts';
import { enqueue } from '../jobs/queue.ts';
import { newId } from '../platform/ids.ts';
import type { Transaction } from '../platform/postgres.ts';
import { insertDelivery, type WebhookDelivery } from './delivery-store.ts';
import { listSubscribedEndpoints } from './endpoint-store.ts';
import { getDefaultSecrets, type SealedSecrets, validSecrets } from './secrets.ts';
import { signWebhook } from './sign.ts';

export type { WebhookDelivery };

export type Announcement = {
  workspaceId: string;
  analysisId: string;
  eventType: SubscribableEventType;
  /** The job's own address, beside the workspace's endpoints. */
  webhookUrl: string | null;
  /** Ids, status and links: small. */
  data: Record<string, unknown>;
  now: Date;
};

/**
 * One delivery and one job for every active endpoint and for the job's own address, newest endpoint first. Part of the
 * transaction that ends the analysis: what ended is told, and what is told ended.
 */
export async function announce(
  ctx: Pick<Dependencies, 'config'>,
  tx: Transaction,
  announcement: Announcement,
): Promise<WebhookDelivery[]> {
  const { workspaceId, eventType, now } = announcement;
  const endpoints = await listSubscribedEndpoints(tx, workspaceId, eventType);
  const targets: Target[] = endpoints.map((endpoint) => ({
    endpointId: endpoint.id,
    url: endpoint.url,
    secretHolderId: endpoint.id,
    secrets: endpoint,
  }));
  if (announcement.webhookUrl !== null) {
    const secrets = await getDefaultSecrets(ctx, tx, workspaceId);
    targets.push({ endpointId: null, url: announcement.webhookUrl, secretHolderId: workspaceId, secrets });
  }
  const body = JSON.stringify({ type: eventType, timestamp: now.toISOString(), data: announcement.data });
  const deliveries: WebhookDelivery[] = [];
  for (const target of targets) {
    const delivery = newDelivery(ctx, announcement, target, body);
    await insertDelivery(tx, delivery);
    deliveries.push(delivery);
  }
  for (const delivery of deliveries) {
    await enqueue(tx, {
      kind: 'webhook.deliver',
      tenant: tenantOf(delivery),
      payload: { deliveryId: delivery.id },
    });
  }
  return deliveries;
}

/** Fairness is between receivers: a slow one waits for itself. */
export function tenantOf(delivery: Pick<WebhookDelivery, 'endpointId' | 'workspaceId'>): string {
  return delivery.endpointId ?? delivery.workspaceId;
}

type Target = { endpointId: string | null; url: string; secretHolderId: string; secrets: SealedSecrets };

type Event = { workspaceId: string; analysisId: string | null; eventType: WebhookEventType; now: Date };

/** As it is signed now; every attempt signs it anew. */
export function newDelivery(
  ctx: Pick<Dependencies, 'config'>,
  { workspaceId, analysisId, eventType, now }: Event,
  target: Target,
  body: string,
): WebhookDelivery {
  const id = newId('whd');
  const secrets = validSecrets(ctx, target.secretHolderId, target.secrets, now);
  return {
    id,
    workspaceId,
    analysisId,
    endpointId: target.endpointId,
    url: target.url,
    eventType,
    body,
    status: 'pending',
    attemptCount: 0,
    nextAttemptAt: now,
    lastStatusCode: null,
    lastError: null,
    signature: signWebhook({ id, timestampSeconds: Math.floor(now.getTime() / 1000), body, secrets }),
    createdAt: now,
  };
}
