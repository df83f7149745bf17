import { recordAudit } from '../audit/audit.ts';
import type { Dependencies, MemberContext } from '../context.ts';
import { AppError, type Limit } from '../errors.ts';
import { consumeLimit } from '../limits/rate-limits.ts';
import type { Page } from '../platform/postgres.ts';
import { DAY_MS } from '../platform/time-units.ts';
import { newDelivery } from './announce.ts';
import { callWebhook } from './call.ts';
import { claimDelivery } from './claim.ts';
import * as store from './delivery-store.ts';
import { getEndpoint } from './endpoints.ts';
import { recordOutcome } from './outcome.ts';
import { queueAttempt } from './queue-attempt.ts';

/**
 * Bound one request to `deliver`: no call starts after five seconds and a call takes at most 15 s (call.ts), so the request takes about
 * 20 s at most. What is left stays pending for the worker or the next request.
 */
const DELIVERIES_PER_REQUEST_MAX = 50;
const CONCURRENT_CALLS_MAX = 10;
const START_WINDOW_MS = 5_000;
/** Enough for somebody who sets up an endpoint, too few to flood an address with our requests. */
const TEST_LIMIT: Limit = { name: 'webhook-tests', count: 20, windowSeconds: 60 };

export type DeliverySummary = { attempted: number; delivered: number; failed: number; pending: number };

export function listDeliveries(ctx: MemberContext, page: Page): Promise<store.WebhookDelivery[]> {
  return store.listDeliveriesOfWorkspace(ctx.db, ctx.actor.workspaceId, page);
}

/** Webhook attempts for the analysis, oldest first. */
export function listAttempts(
  ctx: MemberContext,
  analysisId: string,
  page: Page,
): Promise<store.WebhookAttempt[]> {
  return store.listAttemptsOfAnalysis(ctx.db, ctx.actor.workspaceId, analysisId, page);
}

/** Attempts what is due during this request; `force` includes what waits for a later attempt or has failed for good. */
export async function deliverDue(ctx: MemberContext, options: { force: boolean }): Promise<DeliverySummary> {
  const { workspaceId } = ctx.actor;
  const ids = await store.listDeliverable(ctx.db, workspaceId, {
    force: options.force,
    now: ctx.clock(),
    limit: DELIVERIES_PER_REQUEST_MAX,
  });
  const outcomes: AttemptOutcome[] = [];
  const queue = ids.values();
  const lastStartMs = performance.now() + START_WINDOW_MS;
  const drainQueue = async () => {
    for (const id of queue) {
      if (performance.now() > lastStartMs) return;
      outcomes.push(await attemptOnRequest(ctx, id, options));
    }
  };
  // A fault of ours is thrown only after all calls have ended: none outlives its request or is missing from the audit.
  const drains = await Promise.allSettled(Array.from({ length: CONCURRENT_CALLS_MAX }, drainQueue));
  const count = (wanted: AttemptOutcome) => outcomes.filter((outcome) => outcome === wanted).length;
  const summary = { delivered: count('delivered'), failed: count('failed') };
  await ctx.db.transaction((tx) =>
    recordAudit(tx, ctx, {
      action: 'webhook_delivery.deliver',
      targetType: 'workspace',
      targetId: workspaceId,
      metadata: { force: options.force, attempted: summary.delivered + summary.failed },
    }),
  );
  const fault = drains.find((drain) => drain.status === 'rejected');
  if (fault) throw fault.reason;
  return {
    attempted: summary.delivered + summary.failed,
    ...summary,
    pending: await store.countUnfinished(ctx.db, workspaceId),
  };
}

/** Calls the endpoint now, like any other delivery, but without retries. */
export async function testEndpoint(ctx: MemberContext, endpointId: string): Promise<store.WebhookDelivery> {
  const endpoint = await getEndpoint(ctx, endpointId);
  const message = `A workspace tests its endpoints at most ${TEST_LIMIT.count} times a minute.`;
  await consumeLimit(ctx, TEST_LIMIT, ctx.actor.workspaceId, message);
  if (endpoint.status === 'disabled') {
    throw new AppError('endpoint_disabled', 'This endpoint is disabled. Enable it, then send a test.');
  }
  if (!(await ctx.guardedFetch.isUrlAllowed(endpoint.url))) {
    throw new AppError(
      'conflict',
      'The address of this endpoint is no longer allowed. Change it, then send a test.',
    );
  }
  const now = ctx.clock();
  const { workspaceId } = ctx.actor;
  const eventType = 'webhook.test';
  const data = { job_id: null, status: 'test', endpoint_id: endpointId };
  const body = JSON.stringify({ type: eventType, timestamp: now.toISOString(), data });
  const target = { endpointId, url: endpoint.url, secretHolderId: endpointId, secrets: endpoint };
  const delivery: store.WebhookDelivery = {
    ...newDelivery(ctx, { workspaceId, analysisId: null, eventType, now }, target, body),
    // As if it had failed for good, so that the attempt below plans no retry.
    status: 'failed',
    nextAttemptAt: null,
  };
  await ctx.db.transaction(async (tx) => {
    await store.insertDelivery(tx, delivery);
    await recordAudit(tx, ctx, {
      action: 'webhook_endpoint.test',
      targetType: 'webhook_endpoint',
      targetId: endpointId,
    });
  });
  await attemptOnRequest(ctx, delivery.id, { force: true });
  return (await store.findDeliveryOfWorkspace(ctx.db, workspaceId, delivery.id)) ?? delivery;
}

/** Deletes finished deliveries and their attempts after the operator's retention period. */
export function sweepOldDeliveries(ctx: Dependencies): Promise<number> {
  const before = new Date(ctx.clock().getTime() - ctx.config.retention.deliveryDays * DAY_MS);
  return store.deleteFinishedBefore(ctx.db, before);
}

type AttemptOutcome = 'delivered' | 'failed' | 'not_attempted';

async function attemptOnRequest(
  ctx: MemberContext,
  id: string,
  options: { force: boolean },
): Promise<AttemptOutcome> {
  const claim = await ctx.db.transaction(async (tx) => {
    const claimed = await claimDelivery(ctx, tx, id, { forced: options.force });
    if (claimed.kind === 'attempt' && claimed.delivery.status === 'failed') {
      // A delivery that had failed for good has no job: without this one it would stay `delivering` forever if this process died now.
      await queueAttempt(tx, claimed.delivery, claimed.expiresAt);
    }
    return claimed;
  });
  if (claim.kind !== 'attempt') return 'not_attempted';
  const result = await callWebhook(ctx, claim.call, new AbortController().signal);
  await ctx.db.transaction((tx) =>
    recordOutcome(ctx, tx, claim.delivery, result, { countsForHealth: false }),
  );
  return result.delivered ? 'delivered' : 'failed';
}
