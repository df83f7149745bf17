import type { Context } from '../context.ts';
import type { Job } from '../jobs/job.ts';
import { assertLease, finishJob } from '../jobs/lease.ts';
import { type CallResult, callWebhook, failedCall } from './call.ts';
import { claimDelivery } from './claim.ts';
import { findDelivery, type WebhookDelivery } from './delivery-store.ts';
import { recordOutcome } from './outcome.ts';
import { queueAttempt } from './queue-attempt.ts';

/**
 * Job 'webhook.deliver': one attempt at one delivery. The next attempt is a new job, queued in the transaction that records this one,
 * so an unfinished delivery is never without a job.
 */
export async function deliverWebhook(ctx: Context, job: Job<'webhook.deliver'>): Promise<void> {
  const claim = await ctx.db.transaction(async (tx) => {
    await assertLease(tx, job.lease);
    const claimed = await claimDelivery(ctx, tx, job.payload.deliveryId, { forced: false });
    if (claimed.kind === 'attempt') return claimed;
    await finishJob(tx, job.lease);
    if (claimed.kind === 'later') await queueAttempt(tx, claimed.delivery, claimed.at);
    return null;
  });
  if (!claim) return;
  const result = await callWebhook(ctx, claim.call, job.signal);
  await settle(ctx, job, claim.delivery, result, { countsForHealth: true });
}

/** Called when the job itself failed too often, through a fault of ours or because its worker died: records one failed attempt. */
export async function giveUpAttempt(
  ctx: Context,
  job: Job<'webhook.deliver'>,
  error: unknown,
): Promise<void> {
  const { deliveryId } = job.payload;
  ctx.log.error({ err: error, deliveryId }, 'A webhook attempt kept failing through a fault of ours');
  const delivery = await findDelivery(ctx.db, deliveryId);
  if (delivery?.status !== 'pending' && delivery?.status !== 'delivering') return;
  const result = failedCall('The attempt could not be made because of a fault on our side', 0);
  await settle(ctx, job, delivery, result, { countsForHealth: false });
}

async function settle(
  ctx: Context,
  job: Job<'webhook.deliver'>,
  delivery: WebhookDelivery,
  result: CallResult,
  options: { countsForHealth: boolean },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await assertLease(tx, job.lease);
    const { nextAttemptAt } = await recordOutcome(ctx, tx, delivery, result, options);
    await finishJob(tx, job.lease);
    if (nextAttemptAt === null) return;
    await queueAttempt(tx, delivery, nextAttemptAt);
  });
}
