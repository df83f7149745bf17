import { startDeadline } from '@earshot/sdk';
import type { Context } from '../../context.ts';
import { hasEnded } from '../analysis.ts';
import { findAnalysis } from '../store.ts';
import { AnalysisCanceled, AnalysisError } from './analysis-error.ts';

/**
 * One signal for every reason to stop an attempt: the worker's own, the time that an analysis may take, and somebody who
 * canceled or deleted it.
 */
export async function watchAttempt(
  ctx: Context,
  analysisId: string,
  jobSignal: AbortSignal,
): Promise<{ signal: AbortSignal; stop(): void }> {
  const ended = new AbortController();
  const check = async () => {
    const analysis = await findAnalysis(ctx.db, analysisId);
    if (!analysis || hasEnded(analysis)) ended.abort(new AnalysisCanceled());
  };
  const checkQuietly = () => {
    // Without an answer the attempt goes on; what it writes at its end is refused if it was canceled.
    check().catch((error: unknown) =>
      ctx.log.debug({ err: error }, 'Could not ask whether the analysis was canceled'),
    );
  };
  const unsubscribe = await ctx.analysisEvents.subscribe(analysisId, checkQuietly);
  const either = startDeadline(null, jobSignal, ended.signal);
  const { analysisTimeoutSeconds } = ctx.config.limits;
  const timer = setTimeout(() => {
    const message = `The analysis took longer than ${analysisTimeoutSeconds} seconds.`;
    ended.abort(new AnalysisError('timed_out', message, { retryable: true }));
  }, analysisTimeoutSeconds * 1000);
  return {
    signal: either.signal,
    stop() {
      either.clear();
      clearTimeout(timer);
      unsubscribe();
    },
  };
}
