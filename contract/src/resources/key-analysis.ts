import { z } from 'zod';
import {
  exactlyOne,
  httpUrl,
  identifier,
  refuseValue,
  timestamp,
  urlText,
  zeroToOne,
} from '../wire-values.ts';
import { analysisOptions, FailureCodeSchema } from './analysis.ts';
import { FullResult, ResultSummary } from './result.ts';
import { Section } from './result-music.ts';

/** The key-based surface reports `queued` as `processing` and `canceled` as `failed` (docs/adr/0011). */
const KEY_JOB_STATUSES = ['processing', 'completed', 'failed'] as const;
export type KeyJobStatus = (typeof KEY_JOB_STATUSES)[number];
const KeyJobStatusSchema = z.enum(KEY_JOB_STATUSES).meta({ id: 'KeyJobStatus' });

export const AcceptedAnalysis = z.object({ job_id: identifier('job'), status: KeyJobStatusSchema }).meta({
  id: 'AcceptedAnalysis',
  examples: [{ job_id: 'job_01k0f8yq3m7t9w2x4z6b8c0d1e', status: 'processing' }],
});

export const UrlAnalysisRequest = z
  .strictObject({ url: httpUrl(), ...analysisOptions })
  .meta({ id: 'UrlAnalysisRequest', examples: [{ url: 'https://example.com/song.mp3' }] });

/** As the interface was specified. */
const BATCH_ITEMS_MAX = 10;

export const BatchRequest = z
  .strictObject({
    items: z.array(UrlAnalysisRequest).min(1).max(BATCH_ITEMS_MAX).nullish(),
    urls: z.array(httpUrl()).min(1).max(BATCH_ITEMS_MAX).nullish(),
  })
  .superRefine((value, context) => {
    if ((value.items == null) === (value.urls == null))
      refuseValue(context, 'give exactly one of items and urls');
  })
  .meta({
    id: 'BatchRequest',
    ...exactlyOne('items', 'urls'),
    examples: [{ urls: ['https://example.com/one.mp3', 'https://example.com/two.flac'] }],
  });

export const AcceptedBatch = z
  .object({
    jobs: z.array(z.object({ job_id: identifier('job'), status: KeyJobStatusSchema, url: z.string() })),
  })
  .meta({ id: 'AcceptedBatch' });

const keyAnalysisFields = {
  job_id: identifier('job'),
  status: KeyJobStatusSchema,
  created_at: timestamp,
  completed_at: timestamp.nullable(),
  error: z.string().nullable().meta({ description: 'Why the analysis failed, as a sentence' }),
  error_code: FailureCodeSchema.nullable().meta({ description: 'The same as a code' }),
  retryable: z.boolean().nullable().meta({ description: 'Whether the same request may succeed later' }),
  progress: zeroToOne,
};

const ShortSection = Section.pick({ start_seconds: true, end_seconds: true, label: true }).meta({
  id: 'ShortSection',
});

export const KeyAnalysis = z
  .object({ ...keyAnalysisFields, sections: z.array(ShortSection), result: ResultSummary.nullable() })
  .meta({ id: 'KeyAnalysis' });

export const KeyAnalysisFull = z
  .object({ ...keyAnalysisFields, sections: z.array(Section), result: FullResult.nullable() })
  .meta({ id: 'KeyAnalysisFull' });

export const DemoRequest = z
  .strictObject({ url: httpUrl() })
  .meta({ id: 'DemoRequest', examples: [{ url: 'https://example.com/song.mp3' }] });

export const AcceptedDemo = z
  .object({
    job_id: identifier('job'),
    status: KeyJobStatusSchema,
    poll_url: urlText,
    expires_at: timestamp,
  })
  .meta({ id: 'AcceptedDemo' });
