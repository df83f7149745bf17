import type { Dependencies } from '../context.ts';
import type { Transaction } from '../platform/postgres.ts';
import type { WebhookCall } from './call.ts';
import * as deliveries from './delivery-store.ts';
import { lockEndpoint, type WebhookEndpoint } from './endpoint-store.ts';
import { getDefaultSecrets, validSecrets } from './secrets.ts';
import { signWebhook } from './sign.ts';

/** An attempt without a recorded outcome is presumed dead after this: twice the longest time that its call can take (call.ts). */
const ATTEMPT_EXPIRY_MS = 30_000;
/** The clocks of workers differ by less. An attempt that expires later than one started so far ahead was started before the clock was set back. */
const CLOCK_SKEW_MS = 5_000;
/** A slow receiver occupies at most a quarter of one worker's slots (job-handlers.ts). */
const CALLS_PER_ENDPOINT_MAX = 5;
/** Waits one to two times this, at random, so that a busy endpoint's deliveries do not all come back at once. */
const BUSY_DELAY_MS = 5_000;

export type Claim =
  /** Nothing to do. */
  | { kind: 'none' }
  /** Not due yet, being attempted elsewhere, or its endpoint is at its limit of concurrent calls. */
  | { kind: 'later'; delivery: deliveries.WebhookDelivery; at: Date }
  | { kind: 'attempt'; delivery: deliveries.WebhookDelivery; call: WebhookCall; expiresAt: Date };

/**
 * Claims a delivery for one attempt. `forced` (only on request) also claims one that waits for a later attempt, has failed for good, or
 * belongs to an endpoint that is disabled or at its limit of concurrent calls.
 */
export async function claimDelivery(
  ctx: Pick<Dependencies, 'config' | 'clock'>,
  tx: Transaction,
  id: string,
  options: { forced: boolean },
): Promise<Claim> {
  const endpoint = await lockEndpointOf(tx, id);
  const delivery = await deliveries.lockDelivery(tx, id);
  const now = ctx.clock();
  if (!delivery || delivery.status === 'delivered') return { kind: 'none' };
  if (delivery.status === 'failed' && !options.forced) return { kind: 'none' };
  const waitsUntil = delivery.nextAttemptAt;
  const expiresAt = new Date(now.getTime() + ATTEMPT_EXPIRY_MS);
  const expiresAtMax = new Date(expiresAt.getTime() + CLOCK_SKEW_MS);
  if (waitsUntil !== null && waitsUntil > now) {
    const mustWait = delivery.status === 'delivering' ? waitsUntil <= expiresAtMax : !options.forced;
    if (mustWait) return { kind: 'later', delivery, at: waitsUntil };
  }

  const isCallable =
    endpoint === null || endpoint.status === 'active' || (options.forced && endpoint.status === 'disabled');
  if (!isCallable) {
    await deliveries.failDelivery(tx, id, `The endpoint is ${endpoint.status}`);
    return { kind: 'none' };
  }
  if (
    endpoint &&
    !options.forced &&
    (await deliveries.countUnderWay(tx, endpoint.id, { now, expiresAtMax })) >= CALLS_PER_ENDPOINT_MAX
  ) {
    return { kind: 'later', delivery, at: new Date(now.getTime() + BUSY_DELAY_MS * (1 + Math.random())) };
  }
  const call = await signCall(ctx, tx, delivery, endpoint, now);
  await deliveries.markDelivering(tx, id, { url: call.url, signature: call.signature, expiresAt });
  return { kind: 'attempt', delivery, call, expiresAt };
}

/** With the endpoint locked, concurrent claims for it see each other's calls. */
async function lockEndpointOf(tx: Transaction, deliveryId: string): Promise<WebhookEndpoint | null> {
  const delivery = await deliveries.findDelivery(tx, deliveryId);
  return delivery?.endpointId ? lockEndpoint(tx, delivery.endpointId) : null;
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
