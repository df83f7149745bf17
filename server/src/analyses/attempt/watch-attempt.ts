import { startDeadline } from '@earshot/sdk';
import type { Context } from '../../context.ts';
import { hasEnded } from '../analysis.ts';
import { findAnalysis } from '../store.ts';
import { AnalysisCanceled, AnalysisError } from './analysis-error.ts';

/**
 * One signal for every reason to stop an attempt: the worker stops or lost its lease, the analysis takes too long, or it was
 * canceled or deleted.
 */
export async function watchAttempt(
  ctx: Context,
  analysisId: string,
  jobSignal: AbortSignal,
): Promise<{ signal: AbortSignal; stop(): void }> {
  const ended = new AbortController();
  const check = async () => {
    try {
      const analysis = await findAnalysis(ctx.db, analysisId);
      if (!analysis || hasEnded(analysis)) ended.abort(new AnalysisCanceled());
    } catch (error) {
      // The attempt continues: writes of a canceled analysis are refused anyway.
      ctx.log.debug({ err: error }, 'Could not check whether the analysis was canceled');
    }
  };
  const unsubscribe = await ctx.analysisEvents.subscribe(analysisId, () => void check());
  // A cancellation since the attempt locked the analysis has sent its notification already.
  await check();
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
