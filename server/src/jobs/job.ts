import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import type { Lease } from './lease.ts';
import type { JobKind, JobPayloads } from './queue.ts';

/** One attempt at a job, as its handler sees it. */
export type Job<K extends JobKind = JobKind> = {
  kind: K;
  payload: JobPayloads[K];
  lease: Lease;
  /** The first is 1. */
  attempt: number;
  attemptsMax: number;
  /** How many workers died while running it. Their attempts do not count, unless three died running it alone. */
  deaths: number;
  /** Aborted when the lease is lost (reason LeaseLost) or the worker must stop (reason WorkerStopping): write nothing more. */
  signal: AbortSignal;
};

export type JobHandler<K extends JobKind = JobKind> = (ctx: Context, job: Job<K>) => Promise<void>;

/**
 * How a kind of job is run. `run` ends the job itself, with finishJob in the transaction of its outcome; if it returns without doing
 * so, the worker ends the job. If it throws, the job is retried with growing delays until attemptsMax; then `onExhausted` records the
 * final failure, also of a job that kills its worker every time.
 */
export type JobDefinition<K extends JobKind> = {
  run: JobHandler<K>;
  onExhausted: (ctx: Context, job: Job<K>, error: unknown) => Promise<void>;
  /** How many run at the same time in one process. */
  concurrency: (config: Config) => number;
  /** How many of those one tenant may use, so that a slot stays free for others. By default all. */
  perTenant?: (config: Config) => number;
};

export type JobDefinitions = { [K in JobKind]: JobDefinition<K> };

/** Thrown by a handler for an expected failure, optionally with the delay before the retry. The attempt counts. */
export class RetryLater extends Error {
  readonly delayMs: number | null;

  constructor(cause: unknown, options: { delayMs?: number } = {}) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'RetryLater';
    this.delayMs = options.delayMs ?? null;
  }
}

/** The process is stopping and hands the job back. The attempt does not count. */
export class WorkerStopping extends Error {
  constructor() {
    super('This worker is stopping');
    this.name = 'WorkerStopping';
  }
}
