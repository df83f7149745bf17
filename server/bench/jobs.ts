/**
 * Measures the speed of the job queue: `npm run build && node server/dist/bench-jobs.js`. Results are in
 * docs/adr/0004-jobs-table-as-queue.md.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Dependencies } from '../src/context.ts';
import type { JobDefinitions, JobHandler } from '../src/jobs/job.ts';
import { finishJob } from '../src/jobs/lease.ts';
import { enqueue } from '../src/jobs/queue.ts';
import { startWorker } from '../src/jobs/worker.ts';
import { createMetrics } from '../src/platform/metrics.ts';
import { openBenchDatabase } from './bench-database.ts';

/** Enough for a p95, in a run of seconds. */
const PICK_UP_COUNT = 200;
const JOB_COUNT = 2_000;
const CONCURRENCY = 8;
/** Between two jobs of an idle queue. */
const IDLE_MS = 20;
const STOP_GRACE_MS = 1_000;
/** For claiming, heartbeats, listening, and the bench itself. */
const OTHER_CONNECTIONS = 4;

const connectionsMax = CONCURRENCY + OTHER_CONNECTIONS;
const { log, db, close } = await openBenchDatabase({ level: 'warn', connectionsMax });

const add = (analysisId: string) =>
  db.transaction((tx) => enqueue(tx, { kind: 'analysis.run', tenant: 'bench', payload: { analysisId } }));

let onRun: (analysisId: string) => void = () => {};
const run: JobHandler<'analysis.run'> = async (ctx, job) => {
  onRun(job.payload.analysisId);
  await ctx.db.transaction((tx) => finishJob(tx, job.lease));
};
const idle = { run: async () => {}, onExhausted: async () => {}, concurrency: () => 1 };
const definitions: JobDefinitions = {
  'analysis.run': { run, onExhausted: async () => {}, concurrency: () => CONCURRENCY },
  'analysis.download': idle,
  'webhook.deliver': idle,
  'mail.send': idle,
  'usage.report': idle,
  sweep: idle,
};

async function measureEnqueue(): Promise<number> {
  const startedMs = performance.now();
  for (let job = 0; job < JOB_COUNT; job += 1) await add(String(job));
  return JOB_COUNT / ((performance.now() - startedMs) / 1000);
}

async function measureDrain(): Promise<number> {
  let remainingCount = JOB_COUNT;
  const drained = new Promise<void>((resolve) => {
    onRun = () => {
      remainingCount -= 1;
      if (remainingCount === 0) resolve();
    };
  });
  const startedMs = performance.now();
  const worker = await startWorker({ db, log, metrics: createMetrics() } as Dependencies, definitions);
  await drained;
  const jobsPerSecond = JOB_COUNT / ((performance.now() - startedMs) / 1000);
  await worker.stop(STOP_GRACE_MS);
  return jobsPerSecond;
}

/** From the commit of a job to the start of its handler, in an otherwise empty queue; sorted. */
async function measurePickUps(): Promise<number[]> {
  const worker = await startWorker({ db, log, metrics: createMetrics() } as Dependencies, definitions);
  const timesMs: number[] = [];
  for (let job = 0; job < PICK_UP_COUNT; job += 1) {
    const started = new Promise<number>((resolve) => {
      onRun = () => resolve(performance.now());
    });
    await add(String(job));
    const committedMs = performance.now();
    timesMs.push(Math.max(0, (await started) - committedMs));
    // Lets the worker finish the job and wait for the next.
    await delay(IDLE_MS);
  }
  await worker.stop(STOP_GRACE_MS);
  return timesMs.sort((left, right) => left - right);
}

const enqueuePerSecond = await measureEnqueue();
const drainPerSecond = await measureDrain();
const pickUpsMs = await measurePickUps();
const quantile = (share: number) => pickUpsMs[Math.floor(share * (PICK_UP_COUNT - 1))]?.toFixed(1);
console.log(`enqueue, one transaction each   ${enqueuePerSecond.toFixed(0)} jobs/s`);
console.log(`drain, ${CONCURRENCY} at once               ${drainPerSecond.toFixed(0)} jobs/s`);
console.log(
  `pick-up when idle               p50 ${quantile(0.5)} ms, p95 ${quantile(0.95)} ms, max ${quantile(1)} ms`,
);
await close();
