import type { Context } from '../../context.ts';
import type { Job } from '../../jobs/job.ts';
import { finishJob } from '../../jobs/lease.ts';
import { enqueue } from '../../jobs/queue.ts';
import { tenantOf } from '../analysis.ts';
import { sourceLimitsOf } from '../source-limits.ts';
import { downloadSource } from './download.ts';
import { createProgressReporter } from './progress.ts';
import { settleFailure, startAttempt } from './settle.ts';
import { timeStages } from './stage-clock.ts';
import { watchAttempt } from './watch-attempt.ts';

/**
 * Job 'analysis.download': one attempt at fetching the audio of an analysis. A server may take minutes over it, and costs
 * us nothing but a connection; the listening is a job of its own, with its own slots and its own turn.
 */
export async function downloadForAnalysis(ctx: Context, job: Job<'analysis.download'>): Promise<void> {
  const analysis = await startAttempt(ctx, job);
  if (!analysis) return;
  const watch = await watchAttempt(ctx, analysis.id, job.signal);
  const progress = timeStages(createProgressReporter(ctx, job.lease, analysis.id), ctx.metrics);
  try {
    progress.report('downloading', 0);
    await progress.flush();
    const limits = sourceLimitsOf(ctx.config, analysis.surface);
    await downloadSource(ctx, job.lease, analysis, limits, watch.signal, async (tx) => {
      await finishJob(tx, job.lease);
      await enqueue(tx, { kind: 'analysis.run', tenant: tenantOf(analysis), payload: job.payload });
    });
  } catch (error) {
    await settleFailure(ctx, job, analysis, watch.signal.aborted ? watch.signal.reason : error);
  } finally {
    progress.end();
    watch.stop();
  }
}
