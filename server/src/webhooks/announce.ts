import type { SubscribableEventType, WebhookEventType } from '@earshot/contract';
import type { Dependencies } from '../context.ts';
import { newId } from '../platform/ids.ts';
import type { Transaction } from '../platform/postgres.ts';
import { insertDelivery, type WebhookDelivery } from './delivery-store.ts';
import { listSubscribedEndpoints } from './endpoint-store.ts';
import { queueAttempt } from './queue-attempt.ts';
import { getDefaultSecrets, type SealedSecrets, validSecrets } from './secrets.ts';
import { signWebhook } from './sign.ts';

export type { WebhookDelivery };

export type Announcement = {
  workspaceId: string;
  analysisId: string;
  eventType: SubscribableEventType;
  /** The job's own address, called in addition to the workspace's endpoints. */
  webhookUrl: string | null;
  /** Ids, status and links only: Standard Webhooks recommends bodies under 20 kB. */
  data: Record<string, unknown>;
  now: Date;
};

/**
 * Creates a delivery and its job for every subscribed endpoint, newest first, and for the job's own address. Part of the transaction
 * that ends the analysis, so that an analysis has ended if and only if its webhooks are queued.
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
  for (const delivery of deliveries) await queueAttempt(tx, delivery, null);
  return deliveries;
}

type Target = { endpointId: string | null; url: string; secretHolderId: string; secrets: SealedSecrets };

type DeliveryEvent = {
  workspaceId: string;
  analysisId: string | null;
  eventType: WebhookEventType;
  now: Date;
};

/** The signature is as of now, for display until the first attempt; every attempt signs again. */
export function newDelivery(
  ctx: Pick<Dependencies, 'config'>,
  { workspaceId, analysisId, eventType, now }: DeliveryEvent,
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
