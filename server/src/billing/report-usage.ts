import { type Context, withTransaction } from '../context.ts';
import { assertLease, finishJob, type Lease } from '../jobs/lease.ts';
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
  await withTransaction(ctx, async (tx) => {
    await assertLease(tx, job.lease);
    if (use) await markUseReported(tx, analysisId);
    await finishJob(tx, job.lease);
  });
}
