import { recordEvent } from '../analyses/events.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../platform/postgres.ts';
import type { CallResult } from './call.ts';
import * as deliveries from './delivery-store.ts';
import { noteEndpointFailure, noteEndpointGone } from './endpoint-health.ts';
import { lockEndpoint, markEndpointHealthy } from './endpoint-store.ts';
import { deliveryRetryDelayMs } from './retry-schedule.ts';

/**
 * Records one attempt and plans the next. Only the scheduled calls of a worker count for the endpoint's health, neither calls on request
 * nor faults of ours. A test call, or an attempt at a delivery that had failed for good, is not retried.
 */
export async function recordOutcome(
  ctx: Context,
  tx: Transaction,
  /** The delivery as it was when claimed. */
  claimed: deliveries.WebhookDelivery,
  result: CallResult,
  options: { countsForHealth: boolean },
): Promise<{ nextAttemptAt: Date | null }> {
  const now = ctx.clock();
  if (claimed.endpointId !== null) await lockEndpoint(tx, claimed.endpointId);
  const current = await deliveries.lockDelivery(tx, claimed.id);
  // Deleted with its analysis, or failed because its workspace was closed.
  if (!current || current.status === 'failed' || current.status === 'delivered')
    return { nextAttemptAt: null };
  // An attempt on request was recorded after this one was presumed dead. It queued no job, so that is left to this one's caller.
  if (current.attemptCount !== claimed.attemptCount) return { nextAttemptAt: current.nextAttemptAt };

  const attempt = claimed.attemptCount + 1;
  const endpointUsable = await updateEndpointHealth(ctx, tx, current, result, options);
  const isLast = claimed.status === 'failed' || claimed.eventType === 'webhook.test';
  const mayRetry = !result.delivered && !result.gone && endpointUsable && !isLast;
  const delayMs = mayRetry
    ? deliveryRetryDelayMs({ attempt, retryAfterMs: result.retryAfterMs, random: Math.random() })
    : null;
  const nextAttemptAt = delayMs === null ? null : new Date(now.getTime() + delayMs);
  await deliveries.insertAttempt(tx, {
    deliveryId: claimed.id,
    attempt,
    url: current.url,
    status: result.delivered ? 'delivered' : 'failed',
    statusCode: result.statusCode,
    error: result.error,
    responseExcerpt: result.responseExcerpt,
    durationMs: result.durationMs,
    attemptedAt: new Date(now.getTime() - result.durationMs),
  });
  await deliveries.saveOutcome(tx, claimed.id, {
    status: result.delivered ? 'delivered' : nextAttemptAt === null ? 'failed' : 'pending',
    attemptCount: attempt,
    nextAttemptAt,
    statusCode: result.statusCode,
    error: result.error,
    now,
  });
  await recordAttemptEvent(tx, current, result, { attempt, nextAttemptAt });
  return { nextAttemptAt };
}

/** Returns false when the endpoint must not be called again. */
async function updateEndpointHealth(
  ctx: Context,
  tx: Transaction,
  delivery: deliveries.WebhookDelivery,
  result: CallResult,
  options: { countsForHealth: boolean },
): Promise<boolean> {
  if (delivery.endpointId === null) return true;
  if (result.delivered) {
    await markEndpointHealthy(tx, delivery.endpointId);
    return true;
  }
  if (result.gone) {
    await noteEndpointGone(ctx, tx, delivery.endpointId);
    return false;
  }
  return options.countsForHealth ? noteEndpointFailure(ctx, tx, delivery.endpointId) : true;
}

async function recordAttemptEvent(
  tx: Transaction,
  delivery: deliveries.WebhookDelivery,
  result: CallResult,
  plan: { attempt: number; nextAttemptAt: Date | null },
): Promise<void> {
  if (delivery.analysisId === null) return;
  const facts = { delivery_id: delivery.id, attempt: plan.attempt, status_code: result.statusCode };
  if (result.delivered) {
    await recordEvent(tx, delivery.analysisId, 'webhook.delivered', 'A webhook was delivered.', facts);
    return;
  }
  const next = plan.nextAttemptAt?.toISOString() ?? null;
  const message = next === null ? 'A webhook failed for good.' : 'A webhook failed and will be tried again.';
  await recordEvent(tx, delivery.analysisId, 'webhook.failed', message, {
    ...facts,
    error: result.error,
    next_attempt_at: next,
  });
}
