import type { Dependencies } from '../context.ts';
import type { Transaction } from '../platform/postgres.ts';
import { tenantOf } from './announce.ts';
import type { WebhookCall } from './call.ts';
import * as deliveries from './delivery-store.ts';
import { findEndpoint, lockEndpoint, type WebhookEndpoint } from './endpoint-store.ts';
import { getDefaultSecrets, validSecrets } from './secrets.ts';
import { signWebhook } from './sign.ts';

/** An attempt without a recorded outcome is presumed dead after this: twice the longest time that its call can take (call.ts). */
const ATTEMPT_EXPIRY_MS = 30_000;
/** A slow receiver occupies at most a quarter of one worker's slots (job-handlers.ts). */
const CALLS_PER_ENDPOINT_MAX = 5;
/** Waits one to two times this, at random, so that a busy endpoint's deliveries do not all come back at once. */
const BUSY_DELAY_MS = 5_000;

export type Claim =
  /** Nothing to do. */
  | { kind: 'none' }
  /** Not due yet, being attempted elsewhere, or its endpoint is at its limit of concurrent calls. */
  | { kind: 'later'; at: Date; tenant: string }
  | { kind: 'attempt'; delivery: deliveries.WebhookDelivery; call: WebhookCall; expiresAt: Date };

/**
 * Claims a delivery for one attempt. `forced` (only on request) also claims one that waits for a later attempt, has failed for good, or
 * belongs to a disabled endpoint.
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
  const expiresAt = new Date(now.getTime() + ATTEMPT_EXPIRY_MS);
  if (waitsUntil !== null && waitsUntil > now) {
    // An attempt that expires later than one started now was started before the clock was set back: it is not waited for.
    const mustWait = delivery.status === 'delivering' ? waitsUntil <= expiresAt : !options.forced;
    if (mustWait) return { kind: 'later', at: waitsUntil, tenant };
  }

  const isCallable =
    endpoint === null || endpoint.status === 'active' || (options.forced && endpoint.status === 'disabled');
  if (!isCallable) {
    await deliveries.saveOutcome(tx, id, {
      status: 'failed',
      attemptCount: delivery.attemptCount,
      nextAttemptAt: null,
      statusCode: delivery.lastStatusCode,
      error: `The endpoint is ${endpoint.status}`,
      now,
    });
    return { kind: 'none' };
  }
  if (
    endpoint &&
    !options.forced &&
    (await deliveries.countUnderWay(tx, endpoint.id, { now, expiresAtMax: expiresAt })) >=
      CALLS_PER_ENDPOINT_MAX
  ) {
    return { kind: 'later', at: new Date(now.getTime() + BUSY_DELAY_MS * (1 + Math.random())), tenant };
  }
  const call = await signCall(ctx, tx, delivery, endpoint, now);
  await deliveries.markDelivering(tx, id, { url: call.url, signature: call.signature, expiresAt });
  return { kind: 'attempt', delivery, call, expiresAt };
}

/** Always locked before the delivery, to avoid deadlocks; claims for one endpoint thus see each other's calls. */
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
  // The endpoint's current URL: once it has changed, the old one is no longer called.
  return { id, body, timestampSeconds, signature, url: endpoint?.url ?? delivery.url };
}
