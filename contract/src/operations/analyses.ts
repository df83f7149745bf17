import { z } from 'zod';
import { defineOperation, json, pageOf } from '../operation.ts';
import {
  AccountAnalysisRequest,
  AnalysisEvent,
  AnalysisJob,
  AnalysisRequest,
  AnalysisResult,
  Deleted,
  EXPORT_FORMATS,
} from '../resources/analysis.ts';
import { RESULT_GROUPS, RESULT_PARTS } from '../resources/result.ts';
import { JobWebhookDelivery } from '../resources/webhook.ts';
import { asHeard, idPattern, pageQuery, pathIds, preferHeader, refuseValue } from '../wire-values.ts';

const shared = { tag: 'Analyses', surface: 'workspace' } as const;
const reads = { access: 'workspace', scope: 'analyses:read', role: 'viewer' } as const;
const writes = { access: 'workspace', scope: 'analyses:create', role: 'member' } as const;
const jobId = pathIds('job_id');

/** Comma-separated names from a closed list. */
function namesOf(kind: string, names: readonly string[]) {
  return z
    .string()
    .max(200)
    .superRefine((value, context) => {
      const unknown = value.split(',').find((name) => !names.includes(name));
      if (unknown !== undefined) refuseValue(context, `there is no ${kind} "${unknown}"`);
    })
    .optional();
}
const exportQuery = z.object({ as_heard: asHeard });
const resultQuery = z.object({
  groups: namesOf('group', RESULT_GROUPS).meta({
    description: 'Comma-separated groups to return; the others are null, except `provenance`',
    examples: ['rhythm,tonal'],
  }),
  without: namesOf('part', RESULT_PARTS).meta({
    description:
      'Comma-separated parts to leave out: onsets become an empty list, the voice curve null, and the finest waveform level is dropped. `unavailable` lists them as `not_requested`',
    examples: ['rhythm.onsets,waveform.finest'],
  }),
  as_heard: asHeard,
});
const eventHeaders = z.object({
  accept: z
    .string()
    .max(1000)
    .optional()
    .meta({ description: '`text/event-stream` streams events as they happen' }),
  'last-event-id': z
    .string()
    .regex(idPattern('evt'))
    .optional()
    .meta({ description: 'Resumes a stream after this event' }),
});

const jobAnswer = json('The job', AnalysisJob);
const eventsAnswer = {
  ...pageOf('A page of events, oldest first; or a live stream of them', z.array(AnalysisEvent)),
  otherContentTypes: ['text/event-stream'],
} as const;
const nothingMore = {
  description: 'For a stream resumed after its last event: there will be no more',
  schema: null,
} as const;
const resultAnswers = {
  200: json('The result, or why there is none', AnalysisResult),
  202: {
    ...json('Not finished yet: `result` is null', AnalysisResult),
    headers: { 'Retry-After': 'Seconds to wait before the next request' },
  },
} as const;

export const createAnalysis = defineOperation({
  ...shared,
  id: 'createAnalysis',
  method: 'POST',
  path: '/v1/analyses',
  summary: 'Submit audio by URL or storage object',
  policy: writes,
  body: AnalysisRequest,
  idempotent: true,
  responses: { 202: { ...json('Queued', AnalysisJob), headers: { Location: 'Where to read the job' } } },
  errors: ['storage_quota_exceeded', 'quota_exceeded', 'not_found', 'object_not_uploaded'],
});

export const getAnalysis = defineOperation({
  ...shared,
  id: 'getAnalysis',
  method: 'GET',
  path: '/v1/analyses/{job_id}',
  summary: 'Read a job',
  policy: reads,
  params: jobId,
  headers: preferHeader,
  responses: { 200: jobAnswer },
});

export const listAnalysisEvents = defineOperation({
  ...shared,
  id: 'listAnalysisEvents',
  method: 'GET',
  path: '/v1/analyses/{job_id}/events',
  summary: 'Read or stream the event log of a job',
  policy: reads,
  params: jobId,
  query: pageQuery('evt'),
  headers: eventHeaders,
  responses: { 200: eventsAnswer, 204: nothingMore },
});

export const getAnalysisResult = defineOperation({
  ...shared,
  id: 'getAnalysisResult',
  method: 'GET',
  path: '/v1/analyses/{job_id}/result',
  summary: 'Read the result of a job',
  policy: reads,
  params: jobId,
  query: resultQuery,
  headers: preferHeader,
  responses: resultAnswers,
});

export const createJobWebhookDelivery = defineOperation({
  ...shared,
  id: 'createJobWebhookDelivery',
  method: 'POST',
  path: '/v1/analyses/{job_id}/webhook-deliveries',
  summary: 'Resend the outcome of a finished job to every active endpoint',
  policy: writes,
  params: jobId,
  idempotent: true,
  responses: { 201: json('The delivery to the newest endpoint', JobWebhookDelivery) },
  errors: ['not_finished', 'no_webhook_endpoint'],
});

export const cancelAnalysis = defineOperation({
  ...shared,
  id: 'cancelAnalysis',
  method: 'POST',
  path: '/v1/analyses/{job_id}/cancel',
  summary: 'Cancel a job and return its credit',
  policy: writes,
  params: jobId,
  responses: { 200: jobAnswer },
  errors: ['already_finished'],
});

export const deleteAnalysis = defineOperation({
  ...shared,
  id: 'deleteAnalysis',
  method: 'DELETE',
  path: '/v1/analyses/{job_id}',
  summary: 'Delete a job with its audio, result and artifacts',
  policy: writes,
  params: jobId,
  responses: { 200: json('Deleted', Deleted) },
});

export const exportAnalysis = defineOperation({
  ...shared,
  id: 'exportAnalysis',
  method: 'GET',
  path: '/v1/analyses/{job_id}/exports/{format}',
  summary: 'Export the result in a format for other programs',
  policy: reads,
  params: z.object({ job_id: z.string(), format: z.enum(EXPORT_FORMATS) }),
  query: exportQuery,
  responses: {
    200: {
      description: 'The file; its content type depends on the format',
      schema: null,
      contentType: 'application/octet-stream',
      otherContentTypes: [
        'application/json',
        'application/vnd.recordare.musicxml+xml',
        'application/xml',
        'audio/midi',
        'text/csv',
        'text/plain',
      ],
    },
  },
  errors: ['not_finished', 'conflict'],
});

export const getArtifact = defineOperation({
  ...shared,
  id: 'getArtifact',
  method: 'GET',
  path: '/v1/analyses/{job_id}/artifacts/{name}',
  summary: 'Read a file of the job, such as its report or its audio (`source`)',
  policy: reads,
  params: pathIds('job_id', 'name'),
  responses: {
    200: {
      description: 'The file',
      schema: null,
      contentType: 'application/octet-stream',
      otherContentTypes: ['application/pdf', 'audio/*', 'image/png', 'text/html'],
    },
    206: {
      description: 'The part of the audio that the Range header requests',
      schema: null,
      contentType: 'application/octet-stream',
      otherContentTypes: ['audio/*'],
    },
    416: { description: 'The Range header requests bytes beyond the end', schema: null },
  },
  errors: ['not_finished', 'conflict'],
});

export const deleteArtifact = defineOperation({
  ...shared,
  id: 'deleteArtifact',
  method: 'DELETE',
  path: '/v1/analyses/{job_id}/artifacts/{name}',
  summary: 'Delete the audio of a song and keep its result',
  description:
    'Only `source` can be deleted; all other artifacts are generated on request. Without its audio, a song cannot be played or analysed again.',
  policy: writes,
  params: z.object({ job_id: z.string(), name: z.enum(['source']) }),
  responses: { 200: json('Deleted', Deleted) },
  errors: ['not_finished'],
});

export const createAccountAnalysis = defineOperation({
  ...createAnalysis,
  id: 'createAccountAnalysis',
  path: '/v1/account/analyses',
  summary: 'Submit an uploaded storage object',
  body: AccountAnalysisRequest,
});

// The same operations under /v1/account.
export const getAccountAnalysis = defineOperation({
  ...getAnalysis,
  id: 'getAccountAnalysis',
  path: '/v1/account/analyses/{job_id}',
});
export const listAccountAnalysisEvents = defineOperation({
  ...listAnalysisEvents,
  id: 'listAccountAnalysisEvents',
  path: '/v1/account/analyses/{job_id}/events',
});
export const getAccountAnalysisResult = defineOperation({
  ...getAnalysisResult,
  id: 'getAccountAnalysisResult',
  path: '/v1/account/analyses/{job_id}/result',
});
