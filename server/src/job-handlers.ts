import { downloadForAnalysis } from './analyses/attempt/download-job.ts';
import { runAnalysis } from './analyses/attempt/run.ts';
import { failExhaustedAnalysis } from './analyses/attempt/settle.ts';
import { reportUsage } from './billing/report-usage.ts';
import type { Context } from './context.ts';
import type { Job, JobDefinitions } from './jobs/job.ts';
import { dropMail, sendMail } from './mail/send.ts';
import { sweep } from './sweepers.ts';
import { deliverWebhook, giveUpAttempt } from './webhooks/deliver.ts';

/** The handler of each kind of job, and how many run at the same time in one process. The numbers are estimates, not measured. */
export const jobDefinitions: JobDefinitions = {
  // Downloads mostly wait for other servers, so they do not use the slots of analyses.
  'analysis.download': {
    run: downloadForAnalysis,
    onExhausted: failExhaustedAnalysis,
    concurrency: () => 16,
    perTenant: () => 4,
  },
  // One more slot than a single tenant may use, so that one tenant's long songs do not delay the others.
  'analysis.run': {
    run: runAnalysis,
    onExhausted: failExhaustedAnalysis,
    concurrency: (config) => config.workerConcurrency + 1,
    perTenant: (config) => config.workerConcurrency,
  },
  // These mostly wait for other servers.
  'webhook.deliver': { run: deliverWebhook, onExhausted: giveUpAttempt, concurrency: () => 20 },
  'mail.send': { run: sendMail, onExhausted: dropMail, concurrency: () => 2 },
  'usage.report': { run: reportUsage, onExhausted: logFailure, concurrency: () => 2 },
  sweep: { run: sweep, onExhausted: logFailure, concurrency: () => 1 },
};

/** For jobs whose work a later sweep does or queues again. */
async function logFailure(ctx: Context, job: Job, error: unknown): Promise<void> {
  ctx.log.error({ err: error, payload: job.payload }, 'A job has failed for good');
}
