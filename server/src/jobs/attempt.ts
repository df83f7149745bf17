import { setTimeout as delay } from 'node:timers/promises';
import { SpanKind } from '@opentelemetry/api';
import type { Context, Dependencies } from '../context.ts';
import { AppError } from '../errors.ts';
import { maskSecrets } from '../platform/log.ts';
import { continueTrace, inSpan } from '../platform/tracing.ts';
import { type Job, type JobDefinition, RetryLater, WorkerStopping } from './job.ts';
import { LeaseLost } from './lease.ts';
import type { JobKind } from './queue.ts';
import { jobRetryDelayMs } from './retry-delay.ts';
import { type ClaimedJob, chargeTurns, endIfHeld, planRetry, releaseJob } from './store.ts';

type Outcome = 'done' | 'retry' | 'given_up' | 'released' | 'lost' | 'unknown';

/**
 * One attempt from claim to outcome, in the trace of the request that enqueued the job. Never throws: if the outcome cannot be
 * written because the database is away, the lease expires and the job is tried again.
 */
export async function runAttempt(
  deps: Dependencies,
  definition: JobDefinition<JobKind>,
  claimed: ClaimedJob,
  abort: AbortController,
): Promise<void> {
  const { kind, id, attempt } = claimed;
  const log = deps.log.child({ jobKind: kind, jobId: id, attempt, ...subjectOf(claimed) });
  const startedMs = performance.now();
  const attributes = { 'earshot.job_id': id, 'earshot.attempt': attempt, ...subjectOf(claimed) };
  const span = { kind: SpanKind.CONSUMER, attributes, parent: continueTrace(claimed.payload) };
  await inSpan(`job ${kind}`, span, async (span) => {
    const outcome = await attemptOnce({ ...deps, log }, definition, claimed, abort);
    const durationMs = performance.now() - startedMs;
    span.setAttribute('earshot.outcome', outcome);
    deps.metrics.jobAttempts.observe({ kind, outcome }, durationMs / 1000);
    log.info({ outcome, durationMs: Math.round(durationMs) }, 'An attempt ended');
    await chargeTurns(deps.db, claimed, durationMs).catch((error: unknown) =>
      log.debug({ err: error }, 'The turns of a long job were not charged'),
    );
  });
}

async function attemptOnce(
  deps: Dependencies,
  definition: JobDefinition<JobKind>,
  claimed: ClaimedJob,
  abort: AbortController,
): Promise<Outcome> {
  const { log } = deps;
  const requestId = `job-${claimed.id}-${claimed.claims}`;
  const ctx: Context = { ...deps, actor: { kind: 'system' }, requestId, ip: null };
  const job: Job = {
    kind: claimed.kind,
    payload: claimed.payload as Job['payload'],
    lease: { jobId: claimed.id, claim: claimed.claims },
    attempt: claimed.attempt,
    attemptsMax: claimed.attemptsMax,
    deaths: claimed.deaths,
    signal: abort.signal,
  };
  try {
    // One start more than allowed: the job has killed too many workers (requeueExpired), or could not record that last time.
    if (job.attempt > job.attemptsMax)
      await definition.onExhausted(ctx, job, new Error(claimed.lastError ?? 'Unknown'));
    else await definition.run(ctx, job);
    await endIfHeld(deps.db, claimed);
    return 'done';
  } catch (error) {
    return settleFailure(ctx, definition, job, claimed, error).catch((settleError: unknown) => {
      log.error({ err: settleError }, 'The outcome of a failed attempt could not be written');
      return 'unknown' as const;
    });
  }
}

/** What the job is about, for log lines and spans: payloads contain only ids. */
function subjectOf({ payload }: ClaimedJob): Record<string, string> {
  const { traceparent: _, ...ids } = payload as Record<string, string>;
  return ids;
}

async function settleFailure(
  ctx: Context,
  definition: JobDefinition<JobKind>,
  job: Job,
  claimed: ClaimedJob,
  error: unknown,
): Promise<Outcome> {
  if (error instanceof LeaseLost || job.signal.reason instanceof LeaseLost) {
    ctx.log.warn('Another worker has taken over this job; nothing was written');
    return 'lost';
  }
  if (job.signal.reason instanceof WorkerStopping) {
    await releaseJob(ctx.db, claimed);
    return 'released';
  }
  if (error instanceof AppError && error.code === 'unavailable') {
    await postponeWhenPossible(ctx, claimed, error);
    return 'released';
  }
  if (job.attempt > job.attemptsMax) {
    // onExhausted itself failed. The domain must record the failure eventually, so this is retried without limit.
    ctx.log.error({ err: error }, 'The failure of an exhausted job could not be recorded');
    await planRetry(ctx.db, claimed, { delayMs: jobRetryDelayMs(job.attempt), reason: describe(error) });
    return 'retry';
  }
  if (job.attempt === job.attemptsMax) {
    logFailure(ctx, error, 'The last attempt failed');
    try {
      await definition.onExhausted(ctx, job, error instanceof RetryLater ? error.cause : error);
    } catch (recordError) {
      // The next start only records the failure.
      return settleFailure(ctx, definition, { ...job, attempt: job.attempt + 1 }, claimed, recordError);
    }
    await endIfHeld(ctx.db, claimed);
    return 'given_up';
  }
  const delayMs = (error instanceof RetryLater ? error.delayMs : null) ?? jobRetryDelayMs(job.attempt);
  logFailure(ctx, error, 'An attempt failed; it will be retried');
  await planRetry(ctx.db, claimed, { delayMs, reason: describe(error) });
  return 'retry';
}

/** An expected failure (an unreachable host, a receiver that refuses) concerns only the customer: one short line and no alarm. */
function logFailure({ log }: Context, error: unknown, message: string): void {
  if (error instanceof RetryLater) log.info({ reason: error.message }, message);
  else log.error({ err: error }, message);
}

/** Eleven tries take ten seconds, enough for a database to restart. After that the lease expires. */
const POSTPONE_TRIES_MAX = 11;
const POSTPONE_PAUSE_MS = 1_000;

/**
 * An outage of the database or file store is not the job's fault, so the attempt does not count, however often it happens. Waits for the
 * database to return.
 */
async function postponeWhenPossible(ctx: Context, claimed: ClaimedJob, cause: unknown): Promise<void> {
  ctx.log.warn({ err: cause }, 'The database or the file store became unavailable during an attempt');
  // The attempt's number stays the same, that of the claim grows.
  const delayMs = jobRetryDelayMs(claimed.claims);
  for (let tries = 1; ; tries += 1) {
    try {
      return await planRetry(ctx.db, claimed, { delayMs, reason: describe(cause), attemptCounts: false });
    } catch (error) {
      if (tries === POSTPONE_TRIES_MAX) throw error;
      await delay(POSTPONE_PAUSE_MS);
    }
  }
}

/** For the queue, which must not know addresses either: a mail server names the one that it refuses. */
function describe(error: unknown): string {
  return maskSecrets(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
}
