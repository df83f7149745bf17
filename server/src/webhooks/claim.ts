import type { Dependencies } from '../context.ts';
import type { Transaction } from '../platform/postgres.ts';
import { tenantOf } from './announce.ts';
import type { WebhookCall } from './call.ts';
import * as deliveries from './delivery-store.ts';
import { findEndpoint, lockEndpoint, type WebhookEndpoint } from './endpoint-store.ts';
import { getDefaultSecrets, validSecrets } from './secrets.ts';
import { signWebhook } from './sign.ts';

/** After this an attempt that was not recorded is believed to have died; it may take 15 s. */
const ATTEMPT_BELIEVED_MS = 30_000;
/** Chosen: one slow receiver holds a quarter of a worker's slots at most (job-handlers.ts). */
const CALLS_PER_ENDPOINT_MAX = 5;
const BUSY_DELAY_MS = 5_000;

export type Claim =
  /** Nothing is left to do. */
  | { kind: 'none' }
  /** Not due, under way elsewhere, or its endpoint has enough calls at once. */
  | { kind: 'later'; at: Date; tenant: string }
  | { kind: 'attempt'; delivery: deliveries.WebhookDelivery; call: WebhookCall; believedUntil: Date };

/**
 * Takes a delivery for one attempt. `forced` on request also takes one that waits, has failed for good, or whose endpoint
 * is disabled.
 */
export async function claimDelivery(
  ctx: Pick<Dependencies, 'config' | 'clock'>,
  tx: Transaction,
  id: string,
  options: { forced: boolean },
): Promise<Claim> {
  const now = ctx.clock();
  const endpoint = await lockEndpointOf(tx, id);
  const delivery = await deliveries.lockDelivery(tx, id);
  if (!delivery || delivery.status === 'delivered') return { kind: 'none' };
  if (delivery.status === 'failed' && !options.forced) return { kind: 'none' };
  const tenant = tenantOf(delivery);
  const waitsUntil = delivery.nextAttemptAt;
  const believedUntil = new Date(now.getTime() + ATTEMPT_BELIEVED_MS);
  if (waitsUntil !== null && waitsUntil > now) {
    const isAttempted = delivery.status === 'delivering';
    // One that is believed for longer than that was begun before the clock was set back, and its worker has died since.
    const keeps = isAttempted ? waitsUntil <= believedUntil : !options.forced;
    if (keeps) return { kind: 'later', at: waitsUntil, tenant };
  }

  const callable =
    endpoint === null || endpoint.status === 'active' || (options.forced && endpoint.status === 'disabled');
  if (!callable) {
    await giveUp(tx, delivery, now, `The endpoint is ${endpoint.status}`);
    return { kind: 'none' };
  }
  if (
    endpoint &&
    !options.forced &&
    (await deliveries.countUnderWay(tx, endpoint.id, { now, believedUntil })) >= CALLS_PER_ENDPOINT_MAX
  ) {
    return { kind: 'later', at: new Date(now.getTime() + BUSY_DELAY_MS * (1 + Math.random())), tenant };
  }
  const call = await signCall(ctx, tx, delivery, endpoint, now);
  await deliveries.markDelivering(tx, id, { url: call.url, signature: call.signature, believedUntil });
  return { kind: 'attempt', delivery, call, believedUntil };
}

/** Locked before the delivery, as everywhere; claims on one endpoint then count each other's calls. */
async function lockEndpointOf(tx: Transaction, deliveryId: string): Promise<WebhookEndpoint | null> {
  const delivery = await deliveries.findDelivery(tx, deliveryId);
  if (!delivery || delivery.endpointId === null) return null;
  await lockEndpoint(tx, delivery.endpointId);
  return findEndpoint(tx, delivery.endpointId);
}

async function signCall(
  ctx: Pick<Dependencies, 'config'>,
  tx: Transaction,
  delivery: deliveries.WebhookDelivery,
  endpoint: WebhookEndpoint | null,
  now: Date,
): Promise<WebhookCall> {
  const holderId = endpoint?.id ?? delivery.workspaceId;
  const sealed = endpoint ?? (await getDefaultSecrets(ctx, tx, delivery.workspaceId));
  const { id, body } = delivery;
  const timestampSeconds = Math.floor(now.getTime() / 1000);
  const signature = signWebhook({
    id,
    timestampSeconds,
    body,
    secrets: validSecrets(ctx, holderId, sealed, now),
  });
  // The endpoint's address of today: one that was moved is not called where it used to be.
  return { id, body, timestampSeconds, signature, url: endpoint?.url ?? delivery.url };
}

async function giveUp(
  tx: Transaction,
  delivery: deliveries.WebhookDelivery,
  now: Date,
  error: string,
): Promise<void> {
  await deliveries.saveOutcome(tx, delivery.id, {
    status: 'failed',
    attemptCount: delivery.attemptCount,
    nextAttemptAt: null,
    statusCode: delivery.lastStatusCode,
    error,
    now,
  });
}
