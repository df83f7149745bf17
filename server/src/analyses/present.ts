import type * as contract from '@earshot/contract';
import { FEATURE_GROUPS } from '@earshot/contract';
import type { z } from 'zod';
import { type Analysis, type AnalysisHeadline, hasSource } from './analysis.ts';
import type { AnalysisEvent } from './events.ts';
import type { SummaryWithSections } from './result-store.ts';

/** Rows and results in the shapes of both surfaces. */

export function presentJob(analysis: Analysis): z.input<typeof contract.AnalysisJob> {
  return {
    id: analysis.id,
    status: analysis.status,
    source_url: analysis.sourceUrl ?? `storage://${analysis.storageBucket}/${analysis.storageKey}`,
    // http/idempotency.ts sets it when it replays a stored answer.
    idempotent_replay: false,
    created_at: analysis.createdAt.toISOString(),
    updated_at: analysis.updatedAt.toISOString(),
    storage_object_id: analysis.sourceKind === 'object' ? analysis.storageObjectId : null,
    webhook_url: analysis.webhookUrl,
    features: analysis.features,
    metadata: analysis.metadata,
    stage: analysis.stage,
    progress: analysis.progress,
    attempt: analysis.attempt,
    started_at: analysis.startedAt?.toISOString() ?? null,
    completed_at: analysis.completedAt?.toISOString() ?? null,
    error: analysis.failure,
    file_name: analysis.fileName,
    retain_source: analysis.retainSource,
    source_available: hasSource(analysis),
    source_expires_at: analysis.sourceExpiresAt?.toISOString() ?? null,
    headline: analysis.headline && presentHeadline(analysis.headline, analysis.corrected),
  };
}

function presentHeadline(
  { durationSeconds, keyNotation, loudnessLufs, waveform, duplicateOf, ...sameNames }: AnalysisHeadline,
  corrected: boolean,
): z.input<typeof contract.JobHeadline> {
  return {
    ...sameNames,
    duration_seconds: durationSeconds,
    key_notation: keyNotation,
    loudness_lufs: loudnessLufs,
    waveform: waveform === null ? null : [...Buffer.from(waveform, 'base64')],
    same_recording_as: duplicateOf,
    corrected,
  };
}

export function presentEvent(event: AnalysisEvent): z.input<typeof contract.AnalysisEvent> {
  return {
    id: event.id,
    event_type: event.eventType,
    message: event.message,
    metadata: event.metadata,
    created_at: event.createdAt.toISOString(),
  };
}

type FullResult = z.input<typeof contract.FullResult>;
type Result = z.input<typeof contract.AnalysisResult>;

export function presentResult(
  analysis: Analysis,
  document: FullResult | null,
  report: Result['report_artifact'],
): Result {
  return {
    job_id: analysis.id,
    status: analysis.status,
    result: document,
    report_artifact: report,
    error: analysis.failure,
  };
}

/** A result with only the requested groups and parts: the first screen of a song's page needs a tenth of a long one. */
export function pickParts(
  document: FullResult,
  { groups, without }: { groups?: string; without?: string },
): FullResult {
  let piece = { ...document };
  if (groups !== undefined) {
    const requested = groups.split(',');
    for (const group of [...FEATURE_GROUPS, 'file' as const]) {
      if (!requested.includes(group)) piece[group] = null;
    }
  }
  for (const part of (without?.split(',') ?? []) as contract.ResultPart[]) {
    const reduced = WITHOUT[part](piece);
    if (reduced)
      piece = { ...piece, ...reduced, unavailable: { ...piece.unavailable, [part]: 'not_requested' } };
  }
  return piece;
}

/** The group without the part; null where the part is absent anyway, and `unavailable` has another reason for it. */
const WITHOUT: Record<contract.ResultPart, (document: FullResult) => Partial<FullResult> | null> = {
  'rhythm.onsets': ({ rhythm }) => rhythm && { rhythm: { ...rhythm, onsets: [] } },
  'content.voice_curve': ({ content }) =>
    content?.voice_curve ? { content: { ...content, voice_curve: null } } : null,
  'waveform.finest': ({ waveform }) =>
    waveform && { waveform: { ...waveform, levels: waveform.levels.slice(1) } },
};

/** Headers of a 202. A song of a few minutes takes seconds. */
export const POLL_AGAIN = { 'Retry-After': '2' };

export function presentAccepted(analysis: Analysis): z.input<typeof contract.AcceptedAnalysis> {
  return { job_id: analysis.id, status: keyStatus(analysis) };
}

export function presentKeyAnalysis(
  analysis: Analysis,
  summary: SummaryWithSections | null,
): z.input<typeof contract.KeyAnalysis> {
  return {
    ...keyFields(analysis),
    sections: (summary?.sections ?? []).map(({ start_seconds, end_seconds, label }) => ({
      start_seconds,
      end_seconds,
      label,
    })),
    result: summary?.summary ?? null,
  };
}

export function presentKeyAnalysisFull(
  analysis: Analysis,
  document: FullResult | null,
): z.input<typeof contract.KeyAnalysisFull> {
  return { ...keyFields(analysis), sections: document?.structure?.sections ?? [], result: document };
}

function keyFields(analysis: Analysis) {
  return {
    job_id: analysis.id,
    status: keyStatus(analysis),
    created_at: analysis.createdAt.toISOString(),
    completed_at: analysis.completedAt?.toISOString() ?? null,
    error: analysis.failure?.message ?? null,
    error_code: analysis.failure?.code ?? null,
    retryable: analysis.failure?.retryable ?? null,
    progress: analysis.progress,
  };
}

/** The key-based API has no `queued` or `canceled` status: its clients wait for `completed` or `failed`. */
function keyStatus({ status }: Analysis): contract.KeyJobStatus {
  if (status === 'queued') return 'processing';
  return status === 'canceled' ? 'failed' : status;
}
