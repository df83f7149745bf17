import type { Supplement } from '@earshot/engine';
import type { ResultDocument } from '@earshot/exports';
import type { Context } from '../../context.ts';
import { correctDocument } from '../../corrections/corrected.ts';
import { recordEnrichments } from '../../enrichment/enrichment.ts';
import type { Enrichment } from '../../enrichment/provider.ts';
import { finishJob, type Lease } from '../../jobs/lease.ts';
import { indexResult } from '../../library/index-song.ts';
import { queueMailToMember } from '../../mail/member-mail.ts';
import type { Transaction } from '../../platform/postgres.ts';
import { refundCredit, settleCredit } from '../../usage/usage.ts';
import { type Analysis, type AnalysisFailure, hasEnded } from '../analysis.ts';
import { announceEnd } from '../announce-end.ts';
import { appendEvent } from '../events.ts';
import { insertResult } from '../result-store.ts';
import * as store from '../store.ts';
import { packSupplement } from '../supplement-bytes.ts';
import { lockAttempt } from './attempt-lock.ts';

/**
 * The end of an analysis is one transaction: result, status, credit, events, webhooks and the queue entry. A worker that lost
 * its lease changes nothing, and only the queue entry goes when the analysis has ended before or is deleted.
 */
export async function completeAnalysis(
  ctx: Context,
  lease: Lease,
  analysisId: string,
  outcome: { document: ResultDocument; supplement: Supplement; enrichments: readonly Enrichment[] },
): Promise<void> {
  const ended = await endAnalysis(ctx, lease, analysisId, async (tx, analysis) => {
    const now = ctx.clock();
    await insertResult(tx, analysisId, outcome.document, packSupplement(outcome.supplement));
    await store.markEnded(tx, analysisId, { status: 'completed', failure: null, now });
    const { workspaceId } = analysis;
    // An analysis may be corrected before it completes; index, event and mail then show the corrected values.
    let shown = outcome.document;
    if (workspaceId !== null) {
      const ids = { workspaceId, analysisId };
      shown = await correctDocument(tx, ids, outcome.document);
      await indexResult(tx, ids, shown);
      await settleCredit(tx, { workspaceId, analysisId, now });
      await recordEnrichments(tx, { workspaceId, analysisId, enrichments: outcome.enrichments, now });
    }
    for (const { provider, status } of outcome.enrichments) {
      const message = `${provider} was asked about the recording.`;
      await appendEvent(tx, analysisId, 'enrichment.completed', message, { provider, status });
    }
    const { duration_seconds, bpm, key_notation } = shown;
    await appendEvent(tx, analysisId, 'job.completed', 'The analysis is complete.', {
      duration_seconds,
      bpm,
      key: key_notation,
    });
    await announceEnd(ctx, tx, { ...analysis, status: 'completed', completedAt: now });
    await mailSubmitter(ctx, tx, analysis, shown);
  });
  if (ended) ctx.metrics.analysesEnded.inc({ status: 'completed', code: 'none' });
}

/** The same for a failure, whose credit is refunded. */
export async function failAnalysis(
  ctx: Context,
  lease: Lease,
  analysisId: string,
  failure: AnalysisFailure,
): Promise<boolean> {
  const ended = await endAnalysis(ctx, lease, analysisId, async (tx, analysis) => {
    const now = ctx.clock();
    await store.markEnded(tx, analysisId, { status: 'failed', failure, now });
    if (analysis.workspaceId !== null) {
      await refundCredit(tx, { workspaceId: analysis.workspaceId, analysisId, reason: failure.code });
    }
    await appendEvent(tx, analysisId, 'job.failed', failure.message, {
      code: failure.code,
      retryable: failure.retryable,
    });
    await announceEnd(ctx, tx, { ...analysis, status: 'failed', failure, completedAt: now });
  });
  if (ended) ctx.metrics.analysesEnded.inc({ status: 'failed', code: failure.code });
  return ended;
}

/** Programs are notified by webhook; a person who submitted in the dashboard gets a mail. */
async function mailSubmitter(
  ctx: Context,
  tx: Transaction,
  analysis: Analysis,
  document: ResultDocument,
): Promise<void> {
  const { submittedByUserId: userId, workspaceId } = analysis;
  if (userId === null || workspaceId === null) return;
  const name = analysis.fileName ?? analysis.sourceUrl ?? analysis.id;
  const tempo = document.bpm === null ? 'no steady tempo' : `${document.bpm.toFixed(1)} BPM`;
  await queueMailToMember(tx, ctx, {
    userId,
    workspaceId,
    preference: 'analysis_complete',
    subject: 'Your analysis is complete',
    bodyText: [
      `${name}: ${tempo}, ${document.key_notation ?? 'no clear key'}.`,
      `${ctx.config.baseUrl}/analyses/${analysis.id}`,
      'You can turn these mails off in your notification preferences.',
    ].join('\n\n'),
  });
}

async function endAnalysis(
  ctx: Context,
  lease: Lease,
  analysisId: string,
  end: (tx: Transaction, analysis: Analysis) => Promise<void>,
): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const analysis = await lockAttempt(tx, lease, analysisId);
    const ends = analysis !== null && !hasEnded(analysis);
    if (ends) await end(tx, analysis);
    await finishJob(tx, lease);
    return ends;
  });
}
