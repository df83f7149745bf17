import type { FeatureGroup, Supplement } from '@earshot/engine';
import { buildResultDocument, type ResultDocument } from '@earshot/exports';
import type { Context } from '../../context.ts';
import { enrichAnalysis } from '../../enrichment/enrichment.ts';
import type { Enrichment } from '../../enrichment/provider.ts';
import type { Job } from '../../jobs/job.ts';
import type { Analysis } from '../analysis.ts';
import { appendEvent } from '../events.ts';
import { deleteSource } from '../source-deletion.ts';
import { type SourceLimits, sourceLimitsOf } from '../source-limits.ts';
import { assertAttemptActive } from './attempt-lock.ts';
import { completeAnalysis } from './complete.ts';
import type { AnalysedFile } from './engine-process.ts';
import { runEngine } from './engine-runner.ts';
import type { ProgressReporter } from './progress.ts';
import { runAttempt } from './settle.ts';
import { openSource, type Source } from './source.ts';

/** Job 'analysis.run': one attempt at one analysis, top to bottom. Only a job that an older release queued has to download its audio. */
export function runAnalysis(ctx: Context, job: Job<'analysis.run'>): Promise<void> {
  return runAttempt(ctx, job, async (analysis, progress, signal) => {
    const limits = sourceLimitsOf(ctx.config, analysis.surface);
    if (analysis.storageObjectId === null) progress.report('downloading', 0);
    const source = await openSource(ctx, job.lease, analysis, limits, signal);
    try {
      const outcome = await analyseSource(ctx, job, analysis, { source, limits }, progress, signal);
      progress.report('saving', 0);
      await progress.flush();
      await completeAnalysis(ctx, job.lease, analysis.id, outcome);
    } finally {
      await source.release();
    }
    await deleteSource(ctx, analysis.id);
  });
}

async function analyseSource(
  ctx: Context,
  job: Job<'analysis.run'>,
  analysis: Analysis,
  { source, limits }: { source: Source; limits: SourceLimits },
  progress: ProgressReporter,
  signal: AbortSignal,
): Promise<{ document: ResultDocument; supplement: Supplement; enrichments: Enrichment[] }> {
  const startedMs = performance.now();
  progress.report('decoding', 0);
  const { durationSecondsMax, bytesMax } = limits;
  const { features, hints } = analysis;
  const { info, decoded, result } = await runEngine(ctx.enginePool, {
    path: source.path,
    limits: { durationSecondsMax, inputBytesMax: bytesMax },
    options: { features: featuresToCompute(analysis), hints },
    taggers: ctx.config.listenForTags,
    signal,
    onProgress: ({ stage, fraction, detail }) => progress.report(stage, fraction, detail),
  });
  await recordDecoded(ctx, job, analysis.id, decoded.durationSeconds, info.codec);
  const enrichments = await enrich(ctx, analysis, { result, decoded }, progress, signal);
  const document = buildResultDocument({
    analysis: result,
    file: { ...info, sha256: source.sha256 },
    analysedAt: ctx.clock(),
    analysisSeconds: Math.round(performance.now() - startedMs) / 1000,
    options: { features, hints },
    enrichment: enrichments,
  });
  return { document, supplement: result.supplement, enrichments };
}

/** The requested groups, plus the fingerprint where an enrichment provider needs it. Undefined: all. */
function featuresToCompute({ features, enrich }: Analysis): FeatureGroup[] | undefined {
  if (features === null) return undefined;
  return enrich.length > 0 ? [...new Set([...features, 'fingerprint' as const])] : features;
}

async function recordDecoded(
  ctx: Context,
  job: Job<'analysis.run'>,
  analysisId: string,
  durationSeconds: number,
  codec: string,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await assertAttemptActive(tx, job.lease, analysisId);
    await appendEvent(tx, analysisId, 'audio.decoded', 'All of the audio was decoded.', {
      duration_seconds: durationSeconds,
      codec,
    });
  });
}

async function enrich(
  ctx: Context,
  analysis: Analysis,
  { result, decoded }: Pick<AnalysedFile, 'result' | 'decoded'>,
  progress: ProgressReporter,
  signal: AbortSignal,
): Promise<Enrichment[]> {
  if (analysis.enrich.length === 0) return [];
  progress.report('enriching', 0);
  const fingerprint = result.fingerprint?.chromaprint ?? null;
  const { durationSeconds } = decoded;
  return enrichAnalysis(ctx, { providers: analysis.enrich, fingerprint, durationSeconds, signal });
}
