import type { Context } from '../../context.ts';
import type { Job } from '../../jobs/job.ts';
import { finishJob } from '../../jobs/lease.ts';
import { enqueue } from '../../jobs/queue.ts';
import { tenantOf } from '../analysis.ts';
import { sourceLimitsOf } from '../source-limits.ts';
import { downloadSource } from './download.ts';
import { runAttempt } from './settle.ts';

/**
 * Job 'analysis.download': one attempt at fetching the audio of an analysis. A slow server may take minutes and costs us only
 * a connection, so downloads have separate slots, and the analysis is a separate job.
 */
export function downloadForAnalysis(ctx: Context, job: Job<'analysis.download'>): Promise<void> {
  return runAttempt(ctx, job, async (analysis, progress, signal) => {
    progress.report('downloading', 0);
    await progress.flush();
    const limits = sourceLimitsOf(ctx.config, analysis.surface);
    await downloadSource(ctx, job.lease, analysis, limits, signal, async (tx) => {
      await finishJob(tx, job.lease);
      await enqueue(tx, { kind: 'analysis.run', tenant: tenantOf(analysis), payload: job.payload });
    });
  });
}
