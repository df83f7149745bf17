import type { Context } from '../context.ts';
import { assertLease, finishJob, type Lease } from '../jobs/lease.ts';
import { enqueue } from '../jobs/queue.ts';
import { runIfDue } from '../jobs/schedule.ts';
import { markUseReported } from '../usage/usage.ts';
import * as store from './store.ts';

/**
 * Job 'usage.report': tells the provider's meter of one analysis. The analysis id names the use over there, so a repeat
 * after a crash between the report and its mark counts once.
 */
export async function reportUsage(
  ctx: Context,
  job: { payload: { analysisId: string }; lease: Lease },
): Promise<void> {
  const { analysisId } = job.payload;
  const use = await store.findUnreportedUse(ctx.db, analysisId);
  if (use)
    await ctx.payments.reportUsage({ customerId: use.customerId, analysisId, usedAt: use.completedAt });
  await ctx.db.transaction(async (tx) => {
    await assertLease(tx, job.lease);
    if (use) await markUseReported(tx, analysisId);
    await finishJob(tx, job.lease);
  });
}

const REPORT_AGAIN_EVERY_SECONDS = 60 * 60;
/** Stripe takes a use up to 35 days after it. */
const TAKEN_MS = 34 * 24 * 60 * 60 * 1000;
/** Chosen. */
const USES_PER_TRANSACTION_MAX = 1000;

/** Once an hour: uses whose report was given up, because the provider was away for longer than its attempts, are reported anew. */
export function reportOpenUsesHourly(ctx: Context): Promise<number> {
  return runIfDue(ctx.db, 'usage.report_again', REPORT_AGAIN_EVERY_SECONDS, () => reportOpenUses(ctx));
}

export async function reportOpenUses(ctx: Context): Promise<number> {
  const since = new Date(ctx.clock().getTime() - TAKEN_MS);
  // All of them, however long the outage was; what has a job again is not found a second time.
  for (let count = 0; ; ) {
    const found = await enqueueReports(ctx, since);
    count += found;
    if (found < USES_PER_TRANSACTION_MAX) return count;
  }
}

function enqueueReports(ctx: Context, since: Date): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const open = await store.findUsesWithoutReport(tx, since, USES_PER_TRANSACTION_MAX);
    for (const { workspaceId, analysisId } of open)
      await enqueue(tx, { kind: 'usage.report', tenant: workspaceId, payload: { analysisId } });
    return open.length;
  });
}
