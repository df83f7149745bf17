import { z } from 'zod';
import type { WebhookEventType } from '../event-names.ts';
import { identifier, timestamp, urlText } from '../wire-values.ts';
import { AnalysisFailure } from './analysis.ts';

/** The request bodies of webhooks, one schema per event. They contain ids and links, but no results. */

const JOB_EXAMPLE = {
  job_id: 'job_01k0f8yq3m7t9w2x4z6b8c0d1e',
  created_at: '2026-01-31T09:30:00.000Z',
  completed_at: '2026-01-31T09:30:21.480Z',
  metadata: { album: 'one' },
  links: {
    job: 'https://earshot.example.com/v1/analyses/job_01k0f8yq3m7t9w2x4z6b8c0d1e',
    result: 'https://earshot.example.com/v1/analyses/job_01k0f8yq3m7t9w2x4z6b8c0d1e/result',
  },
};

const jobFields = {
  job_id: identifier('job'),
  created_at: timestamp,
  completed_at: timestamp,
  metadata: z.record(z.string(), z.string()).meta({ description: 'As given with the job' }),
  links: z.object({ job: urlText, result: urlText }),
};

function payload<const T extends WebhookEventType, D extends z.ZodType>(
  type: T,
  id: string,
  data: D,
  example: unknown,
) {
  const envelope = { type, timestamp: '2026-01-31T09:30:21.492Z', data: example };
  return z.object({ type: z.literal(type), timestamp: timestamp, data }).meta({ id, examples: [envelope] });
}

const CompletedPayload = payload(
  'analysis.completed',
  'AnalysisCompletedPayload',
  z.object({ ...jobFields, status: z.literal('completed'), error: z.null() }),
  { ...JOB_EXAMPLE, status: 'completed', error: null },
);

const FailedPayload = payload(
  'analysis.failed',
  'AnalysisFailedPayload',
  z.object({ ...jobFields, status: z.literal('failed'), error: AnalysisFailure }),
  {
    ...JOB_EXAMPLE,
    status: 'failed',
    error: { code: 'corrupt_audio', message: 'The file breaks off before any audio.', retryable: false },
  },
);

const CanceledPayload = payload(
  'analysis.canceled',
  'AnalysisCanceledPayload',
  z.object({ ...jobFields, status: z.literal('canceled'), error: AnalysisFailure }),
  {
    ...JOB_EXAMPLE,
    status: 'canceled',
    error: { code: 'canceled', message: 'Canceled on request.', retryable: true },
  },
);

const TestPayload = payload(
  'webhook.test',
  'WebhookTestPayload',
  z.object({ job_id: z.null(), status: z.literal('test'), endpoint_id: identifier('whe') }),
  { job_id: null, status: 'test', endpoint_id: 'whe_01k0f8yq3m7t9w2x4z6b8c0d1e' },
);

type WebhookCall = { summary: string; schema: z.ZodType };

/** Every webhook call, by event. */
export const WEBHOOK_CALLS: Record<WebhookEventType, WebhookCall> = {
  'analysis.completed': { summary: 'An analysis completed', schema: CompletedPayload },
  'analysis.failed': { summary: 'An analysis failed', schema: FailedPayload },
  'analysis.canceled': { summary: 'An analysis was canceled on request', schema: CanceledPayload },
  'webhook.test': { summary: 'A test call, sent on request', schema: TestPayload },
};
