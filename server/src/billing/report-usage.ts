import type { Context } from '../context.ts';
import { assertLease, finishJob, type Lease } from '../jobs/lease.ts';
import { enqueue } from '../jobs/queue.ts';
import { runIfDue } from '../jobs/schedule.ts';
import { markUseReported } from '../usage/usage.ts';
import * as store from './store.ts';

/**
 * Job 'usage.report': reports one analysis to the provider's meter. The provider counts each analysis id once, so that a repeat after
 * a crash between the report and its mark does no harm.
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
/** Stripe accepts a use up to 35 days after it; one day is left for the job. */
const USE_AGE_MS_MAX = 34 * 24 * 60 * 60 * 1000;
/** Chosen: a transaction of well under a second. */
const USES_PER_TRANSACTION_MAX = 1000;

/** Once an hour, queues a new report for each use whose job gave up because the provider was away for too long. */
export function reportOpenUsesHourly(ctx: Context): Promise<number> {
  return runIfDue(ctx.db, 'usage.report_again', REPORT_AGAIN_EVERY_SECONDS, () => reportOpenUses(ctx));
}

export async function reportOpenUses(ctx: Context): Promise<number> {
  const since = new Date(ctx.clock().getTime() - USE_AGE_MS_MAX);
  // Ends, because a use with a job is not found again.
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
