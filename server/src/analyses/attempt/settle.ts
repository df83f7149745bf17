import { DecodeError } from '@earshot/decode';
import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { type Job, RetryLater } from '../../jobs/job.ts';
import { type Analysis, hasEnded } from '../analysis.ts';
import { appendEvent } from '../events.ts';
import { deleteSource } from '../source-deletion.ts';
import * as store from '../store.ts';
import { AnalysisCanceled, type AnalysisError, asAnalysisError, failureOf } from './analysis-error.ts';
import { lockAttempt } from './attempt-lock.ts';
import { failAnalysis } from './complete.ts';
import { createProgressReporter, type ProgressReporter } from './progress.ts';
import { timeStages } from './stage-clock.ts';
import { watchAttempt } from './watch-attempt.ts';

/** The two jobs of an analysis: one downloads its audio, if necessary, the other analyses it. */
export type AnalysisJob = Job<'analysis.download' | 'analysis.run'>;

/** After the last attempt; also for a job that crashed its worker each time. */
export async function failExhaustedAnalysis(ctx: Context, job: AnalysisJob, error: unknown): Promise<void> {
  await failAnalysis(ctx, job.lease, job.payload.analysisId, failureOf(asAnalysisError(error)));
  await deleteSource(ctx, job.payload.analysisId);
}

/** One attempt of either job: stopped when the analysis is canceled or deleted, and settled when it fails. */
export async function runAttempt(
  ctx: Context,
  job: AnalysisJob,
  work: (analysis: Analysis, progress: ProgressReporter, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const analysis = await startAttempt(ctx, job);
  if (!analysis) return;
  const watch = await watchAttempt(ctx, analysis.id, job.signal);
  const progress = timeStages(createProgressReporter(ctx, job.lease, analysis.id), ctx.metrics);
  try {
    await work(analysis, progress, watch.signal);
  } catch (error) {
    await progress.flush();
    await settleFailure(ctx, job, analysis, watch.signal.aborted ? watch.signal.reason : error);
  } finally {
    progress.end();
    watch.stop();
  }
}

/** Null when the analysis ended or was deleted while the job was queued. */
async function startAttempt(ctx: Context, job: AnalysisJob): Promise<Analysis | null> {
  const { analysisId } = job.payload;
  return ctx.db.transaction(async (tx) => {
    const analysis = await lockAttempt(tx, job.lease, analysisId);
    if (!analysis || hasEnded(analysis)) return null;
    // Queued by the download job of the same attempt, which has marked it as started.
    const continues =
      job.kind === 'analysis.run' && job.lease.claim === 1 && analysis.status === 'processing';
    if (continues) return analysis;
    const attempt = job.attempt + job.deaths;
    await Promise.all([
      store.markStarted(tx, analysisId, attempt, ctx.clock()),
      appendEvent(tx, analysisId, 'job.started', 'A worker has started it.', { attempt }),
    ]);
    return analysis;
  });
}

/**
 * Decides whether a failure is final, worth a retry, or moot because the analysis was canceled. Throws the error itself to the job
 * runner for an outage, which does not count, and for a fault of ours, which it logs with its cause.
 */
async function settleFailure(
  ctx: Context,
  job: AnalysisJob,
  analysis: Analysis,
  error: unknown,
): Promise<void> {
  job.signal.throwIfAborted();
  if (error instanceof AppError && error.code === 'unavailable') throw error;
  if (error instanceof AnalysisCanceled) return deleteSource(ctx, analysis.id);
  if (error instanceof DecodeError) ctx.metrics.decodeFailures.inc({ code: error.code });
  const failure = asAnalysisError(error);
  if (!failure.retryable) {
    await failAnalysis(ctx, job.lease, analysis.id, failureOf(failure));
    return deleteSource(ctx, analysis.id);
  }
  if (job.attempt < job.attemptsMax) await recordRetry(ctx, job, analysis, failure);
  throw failure.code === 'internal' ? error : new RetryLater(failure);
}

async function recordRetry(
  ctx: Context,
  job: AnalysisJob,
  analysis: Analysis,
  failure: AnalysisError,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const current = await lockAttempt(tx, job.lease, analysis.id);
    if (!current || hasEnded(current)) return;
    const facts = { attempt: job.attempt, attempts_max: job.attemptsMax, code: failure.code };
    await Promise.all([
      store.markQueuedAgain(tx, analysis.id, ctx.clock()),
      appendEvent(tx, analysis.id, 'job.retrying', failure.message, facts),
    ]);
  });
}
