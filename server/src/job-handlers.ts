import { downloadForAnalysis } from './analyses/attempt/download-job.ts';
import { runAnalysis } from './analyses/attempt/run.ts';
import { giveUpAnalysis } from './analyses/attempt/settle.ts';
import { reportUsage } from './billing/report-usage.ts';
import type { Context } from './context.ts';
import type { Job, JobDefinitions } from './jobs/job.ts';
import { giveUpMail, sendMail } from './mail/send.ts';
import { sweep } from './sweepers.ts';
import { deliverWebhook, giveUpAttempt } from './webhooks/deliver.ts';

/** What each kind of job runs, found by ordinary imports, and how many at a time: numbers of ours to choose. */
export const jobDefinitions: JobDefinitions = {
  // Waits for somebody else's server most of its time, so it has no part in the slots of those who compute.
  'analysis.download': {
    run: downloadForAnalysis,
    onExhausted: giveUpAnalysis,
    concurrency: () => 16,
    perTenant: () => 4,
  },
  // One more than one tenant may have: an hour of audio of one holds up nobody else.
  'analysis.run': {
    run: runAnalysis,
    onExhausted: giveUpAnalysis,
    concurrency: (config) => config.workerConcurrency + 1,
    perTenant: (config) => config.workerConcurrency,
  },
  // These wait for others most of their time.
  'webhook.deliver': { run: deliverWebhook, onExhausted: giveUpAttempt, concurrency: () => 20 },
  'mail.send': { run: sendMail, onExhausted: giveUpMail, concurrency: () => 2 },
  'usage.report': { run: reportUsage, onExhausted: logFailure, concurrency: () => 2 },
  sweep: { run: sweep, onExhausted: logFailure, concurrency: () => 1 },
};

/** For jobs whose row stays as it was and is found again. */
async function logFailure(ctx: Context, job: Job, error: unknown): Promise<void> {
  ctx.log.error({ err: error, payload: job.payload }, 'A job is given up');
}
