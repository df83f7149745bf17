import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import type { Lease } from './lease.ts';
import type { JobKind, JobPayloads } from './queue.ts';

/** One attempt at a job, as its handler sees it. */
export type Job<K extends JobKind = JobKind> = {
  kind: K;
  payload: JobPayloads[K];
  lease: Lease;
  /** 1 at the first try. */
  attempt: number;
  attemptsMax: number;
  /** Workers that died while they had it; none of those starts counts as an attempt. */
  deaths: number;
  /** Aborts when the lease is lost (reason LeaseLost) or the worker must stop (reason WorkerStopping): write nothing more. */
  signal: AbortSignal;
};

export type JobHandler<K extends JobKind = JobKind> = (ctx: Context, job: Job<K>) => Promise<void>;

/**
 * How a kind of job is done. `run` ends the job itself, with finishJob in the transaction of its outcome;
 * one that returns without doing so is ended for it. One that throws is tried again, with growing pauses, until
 * attemptsMax; then `onExhausted` records that for good, also for a job that takes its worker down each time.
 */
export type JobDefinition<K extends JobKind> = {
  run: JobHandler<K>;
  onExhausted: (ctx: Context, job: Job<K>, error: unknown) => Promise<void>;
  /** At once, in one process. */
  concurrency: (config: Config) => number;
  /** Of those, for one tenant; fewer than all, so that whoever comes beside it finds one free. Default all. */
  perTenant?: (config: Config) => number;
};

export type JobDefinitions = { [K in JobKind]: JobDefinition<K> };

/** Thrown by a handler to say when to try again; the attempt counts. */
export class RetryLater extends Error {
  readonly delayMs: number | null;

  constructor(cause: unknown, options: { delayMs?: number } = {}) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'RetryLater';
    this.delayMs = options.delayMs ?? null;
  }
}

/** The process is stopping and hands the job back; this attempt does not count. */
export class WorkerStopping extends Error {
  constructor() {
    super('This worker is stopping');
    this.name = 'WorkerStopping';
  }
}
