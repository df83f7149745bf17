import type { Context } from '../context.ts';
import { assertLease, finishJob, type Lease } from '../jobs/lease.ts';
import { enqueue } from '../jobs/queue.ts';
import { runIfDue } from '../jobs/schedule.ts';
import { DAY_MS } from '../platform/time-units.ts';
import { markUseReported } from '../usage/usage.ts';
import * as store from './store.ts';

/**
 * Job 'usage.report': reports one analysis to the provider's meter. The provider counts each analysis id once, so a repeat after a crash
 * between the report and `markUseReported` does no harm.
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
/** Stripe accepts a meter event up to 35 days after the use; one day is left for the job to run. */
const USE_AGE_MS_MAX = 34 * DAY_MS;
/** Keeps each transaction well under a second. */
const USES_PER_TRANSACTION_MAX = 1000;

/** Once an hour, queues a new report for each use whose job gave up because the provider was unreachable for too long. */
export function requeueReportsHourly(ctx: Context): Promise<number> {
  return runIfDue(ctx.db, 'usage.report_again', REPORT_AGAIN_EVERY_SECONDS, () => requeueReports(ctx));
}

export async function requeueReports(ctx: Context): Promise<number> {
  const since = new Date(ctx.clock().getTime() - USE_AGE_MS_MAX);
  let queuedCount = 0;
  let batchCount: number;
  do {
    // A use that has a job is not found again, so this loop ends.
    batchCount = await ctx.db.transaction(async (tx) => {
      const unreported = await store.findUsesWithoutReport(tx, since, USES_PER_TRANSACTION_MAX);
      for (const { workspaceId, analysisId } of unreported)
        await enqueue(tx, { kind: 'usage.report', tenant: workspaceId, payload: { analysisId } });
      return unreported.length;
    });
    queuedCount += batchCount;
  } while (batchCount === USES_PER_TRANSACTION_MAX);
  return queuedCount;
}
