import { z } from 'zod';
import { defineOperation, json, pageOf } from '../operation.ts';
import { UploadFields } from '../resources/analysis.ts';
import {
  AcceptedAnalysis,
  AcceptedBatch,
  AcceptedDemo,
  BatchRequest,
  DemoRequest,
  KeyAnalysis,
  KeyAnalysisFull,
  UrlAnalysisRequest,
} from '../resources/key-analysis.ts';
import { WebhookAttempts } from '../resources/webhook.ts';
import { asHeard, pageQuery, pathIds, preferHeader } from '../wire-values.ts';

const shared = { tag: 'Key-based analysis', surface: 'key' } as const;
const reads = { access: 'workspace', scope: 'analyses:read', role: 'viewer' } as const;
const writes = { access: 'workspace', scope: 'analyses:create', role: 'member' } as const;
const jobId = pathIds('job_id');
const retryAfter = { 'Retry-After': 'Seconds to wait before the next request' } as const;

export const analyzeUpload = defineOperation({
  ...shared,
  id: 'analyzeUpload',
  method: 'POST',
  path: '/v1/analyze/upload',
  summary: 'Upload a file and analyse it',
  policy: writes,
  rawBody: {
    contentType: 'multipart/form-data',
    description:
      'Field `file`: the audio, at most 50 MB. The other fields are those of the JSON request: `features` and `enrich` as comma-separated lists or JSON, `hints` and `metadata` as JSON.',
    as: 'stream',
    fields: UploadFields,
    files: ['file'],
  },
  idempotent: true,
  responses: { 202: { ...json('Accepted', AcceptedAnalysis), headers: { Location: 'Where to poll' } } },
  errors: ['quota_exceeded', 'storage_full', 'storage_quota_exceeded'],
});

export const analyzeUrl = defineOperation({
  ...shared,
  id: 'analyzeUrl',
  method: 'POST',
  path: '/v1/analyze/url',
  summary: 'Analyse audio from a public URL',
  policy: writes,
  body: UrlAnalysisRequest,
  idempotent: true,
  responses: { 202: { ...json('Accepted', AcceptedAnalysis), headers: { Location: 'Where to poll' } } },
  errors: ['quota_exceeded', 'storage_quota_exceeded'],
});

const batch = {
  ...shared,
  method: 'POST',
  summary: 'Analyse up to 10 URLs; all are accepted or none',
  policy: writes,
  body: BatchRequest,
  idempotent: true,
  responses: { 202: json('Accepted', AcceptedBatch) },
  errors: ['quota_exceeded', 'storage_quota_exceeded'],
} as const;

export const createBatch = defineOperation({ ...batch, id: 'createBatch', path: '/v1/batch' });
export const analyzeBatch = defineOperation({ ...batch, id: 'analyzeBatch', path: '/v1/analyze/batch' });

const polling = {
  ...shared,
  method: 'GET',
  policy: reads,
  params: jobId,
  query: z.object({ as_heard: asHeard }),
  headers: preferHeader,
} as const;

export const getKeyAnalysis = defineOperation({
  ...polling,
  id: 'getKeyAnalysis',
  path: '/v1/analysis/{job_id}',
  summary: 'Poll an analysis: the summary',
  responses: {
    200: json('Completed or failed', KeyAnalysis),
    202: { ...json('Still processing', KeyAnalysis), headers: retryAfter },
  },
});

export const getKeyAnalysisFull = defineOperation({
  ...polling,
  id: 'getKeyAnalysisFull',
  path: '/v1/analysis/{job_id}/full',
  summary: 'Poll an analysis: everything, with sections',
  responses: {
    200: json('Completed or failed', KeyAnalysisFull),
    202: { ...json('Still processing', KeyAnalysisFull), headers: retryAfter },
  },
});

export const listKeyAnalysisWebhooks = defineOperation({
  ...shared,
  id: 'listKeyAnalysisWebhooks',
  method: 'GET',
  path: '/v1/analysis/{job_id}/webhooks',
  summary: 'List every attempt to call your webhooks about this job',
  policy: { access: 'workspace', scope: 'webhooks:read', role: 'viewer' },
  params: jobId,
  query: pageQuery('att'),
  responses: { 200: pageOf('A page of attempts, oldest first', WebhookAttempts) },
});

export const analyzeDemoUrl = defineOperation({
  id: 'analyzeDemoUrl',
  method: 'POST',
  path: '/v1/demo/analyze/url',
  summary: 'Analyse a URL without an account',
  tag: 'Demo',
  surface: 'key',
  policy: { access: 'public' },
  body: DemoRequest,
  idempotent: true,
  responses: {
    202: json('Accepted; `poll_url` contains its own token and is valid for an hour', AcceptedDemo),
  },
});

export const analyzeDemoUpload = defineOperation({
  id: 'analyzeDemoUpload',
  method: 'POST',
  path: '/v1/demo/analyze/upload',
  summary: 'Analyse a file without an account',
  tag: 'Demo',
  surface: 'key',
  policy: { access: 'public' },
  rawBody: {
    contentType: 'multipart/form-data',
    description: 'Field `file`: the audio, at most 20 MB and 10 minutes.',
    as: 'stream',
    files: ['file'],
  },
  responses: {
    202: json('Accepted; `poll_url` contains its own token and is valid for an hour', AcceptedDemo),
  },
  errors: ['storage_full', 'storage_quota_exceeded'],
});

export const getDemoAnalysis = defineOperation({
  id: 'getDemoAnalysis',
  method: 'GET',
  path: '/v1/demo/analysis/{job_id}',
  summary: 'Poll a demo analysis (its `poll_url`)',
  tag: 'Demo',
  surface: 'key',
  policy: { access: 'signature' },
  params: jobId,
  query: z.object({ token: z.string().max(128).optional().meta({ description: 'From the `poll_url`' }) }),
  responses: {
    200: json('Completed or failed', KeyAnalysisFull),
    202: { ...json('Still processing', KeyAnalysisFull), headers: retryAfter },
  },
});
