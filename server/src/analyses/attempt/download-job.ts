import type { Context } from '../../context.ts';
import type { Job } from '../../jobs/job.ts';
import { finishJob } from '../../jobs/lease.ts';
import { enqueue } from '../../jobs/queue.ts';
import { tenantOf } from '../analysis.ts';
import { sourceLimitsOf } from '../source-limits.ts';
import { downloadSource } from './download.ts';
import { runAttempt } from './settle.ts';

/**
 * Job 'analysis.download': one attempt at fetching the audio of an analysis. A server may take minutes over it, and costs
 * us nothing but a connection; the listening is a job of its own, with its own slots and its own turn.
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
