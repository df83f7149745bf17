import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Context, Dependencies } from '../../context.ts';
import type { Job, JobDefinitions } from '../../jobs/job.ts';
import { assertLease, finishJob, LeaseLost } from '../../jobs/lease.ts';
import { startWorker, WORKER_TIMINGS } from '../../jobs/worker.ts';
import { createLogger } from '../../platform/log.ts';
import { createMetrics } from '../../platform/metrics.ts';
import { openDatabase } from '../../platform/postgres.ts';

/**
 * A worker process for tests that kill, pause and stop it. Arguments: DATABASE_URL, and JSON with timings that differ from the
 * defaults. The first word of the analysis id selects what the job does:
 *   write   inserts a row into job_outcomes and ends
 *   crash   kills this process
 *   late    prints `started`; on its first claim it waits for a line on standard input before it writes; prints `wrote` or `lost`
 *   obey    on its first claim prints `started` and waits until it is aborted; on later claims it writes
 */
const [, , url, timings] = process.argv as [string, string, string, string?];
/** Short: jobs that wait for their abort get it soon. */
const STOP_GRACE_MS = 100;
const log = createLogger({ level: process.env.LOG_LEVEL ?? 'silent' });
const db = openDatabase({ connection: { connectionString: url }, log, connectionsMax: 4 });
const input = createInterface({ input: process.stdin });

async function write(ctx: Context, job: Job<'analysis.run'>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await assertLease(tx, job.lease);
    await tx.query('insert into job_outcomes values ($1, $2, $3)', [
      job.payload.analysisId,
      job.attempt,
      process.pid,
    ]);
    await finishJob(tx, job.lease);
  });
}

const behaviours: Record<string, (ctx: Context, job: Job<'analysis.run'>) => Promise<void>> = {
  write,
  async crash() {
    process.kill(process.pid, 'SIGKILL');
    await once(process, 'never');
  },
  async late(ctx, job) {
    console.log('started');
    if (job.lease.claim === 1) await once(input, 'line');
    try {
      await write(ctx, job);
      console.log('wrote');
    } catch (error) {
      console.log(error instanceof LeaseLost ? 'lost' : `failed: ${error}`);
    }
  },
  async obey(ctx, job) {
    if (job.lease.claim > 1) return write(ctx, job);
    console.log('started');
    await once(job.signal, 'abort');
    throw job.signal.reason;
  },
};

const noOperation = { run: async () => {}, onExhausted: async () => {}, concurrency: () => 1 };
const definitions: JobDefinitions = {
  'analysis.run': {
    run: (ctx, job) => (behaviours[job.payload.analysisId.split(' ')[0] ?? ''] as typeof write)(ctx, job),
    async onExhausted(ctx, job, error) {
      const outcome = `gave up ${job.payload.analysisId}: ${(error as Error).message}`;
      await ctx.db.query('insert into job_outcomes values ($1, $2, $3)', [outcome, job.attempt, process.pid]);
    },
    concurrency: () => 1,
  },
  'analysis.download': noOperation,
  'webhook.deliver': noOperation,
  'mail.send': noOperation,
  'usage.report': noOperation,
  sweep: noOperation,
};

// The worker itself needs only these dependencies; the others are for handlers.
const deps = { db, log, metrics: createMetrics() } as Dependencies;
const worker = await startWorker(deps, definitions, { ...WORKER_TIMINGS, ...JSON.parse(timings ?? '{}') });
console.log('working');
process.once('SIGTERM', async () => {
  await worker.stop(STOP_GRACE_MS);
  await db.close();
  process.exit(0);
});
