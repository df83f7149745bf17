import { z } from 'zod';
import { defineOperation, json, pageOf } from '../operation.ts';
import { Revoked } from '../resources/account.ts';
import { Correction, CorrectionRequest } from '../resources/correction.ts';
import { NewShare, Share } from '../resources/share.ts';
import { pageQuery, pathIds } from '../wire-values.ts';

const shared = { tag: 'Analyses', surface: 'workspace' } as const;
const reads = { access: 'workspace', scope: 'analyses:read', role: 'viewer' } as const;
const writes = { access: 'workspace', scope: 'analyses:create', role: 'member' } as const;
const corrects = { access: 'workspace', scope: 'analyses:write', role: 'member' } as const;
const jobId = pathIds('job_id');

const reading = {
  ...shared,
  method: 'GET',
  summary: 'Read the correction of a song',
  policy: reads,
  params: jobId,
  responses: { 200: json('The correction; all fields are null if there is none', Correction) },
} as const;

const replacing = {
  ...shared,
  method: 'PUT',
  summary: 'Correct tempo, bars, beats, key, chords or sections',
  description:
    'The correction applies everywhere: in the list, the result, every export, the report and its shares. Replaces the whole ' +
    'correction; an empty object removes it. `?as_heard=true` returns the result as the engine detected it.',
  policy: corrects,
  params: jobId,
  body: CorrectionRequest,
  responses: { 200: json('The new correction', Correction) },
  errors: ['not_finished'],
} as const;

export const getCorrections = defineOperation({
  ...reading,
  id: 'getCorrections',
  path: '/v1/analyses/{job_id}/corrections',
});

export const replaceCorrections = defineOperation({
  ...replacing,
  id: 'replaceCorrections',
  path: '/v1/analyses/{job_id}/corrections',
});

export const removeCorrections = defineOperation({
  ...shared,
  id: 'removeCorrections',
  method: 'DELETE',
  path: '/v1/analyses/{job_id}/corrections',
  summary: 'Remove the correction and return to what the engine detected',
  policy: corrects,
  params: jobId,
  responses: { 200: json('No correction: all fields are null', Correction) },
});

export const getAccountCorrections = defineOperation({
  ...reading,
  id: 'getAccountCorrections',
  path: '/v1/account/analyses/{job_id}/corrections',
});

export const replaceAccountCorrections = defineOperation({
  ...replacing,
  id: 'replaceAccountCorrections',
  path: '/v1/account/analyses/{job_id}/corrections',
});

export const createShare = defineOperation({
  ...shared,
  id: 'createShare',
  method: 'POST',
  path: '/v1/account/analyses/{job_id}/shares',
  summary: 'Create a link to the report that works without an account',
  policy: writes,
  params: jobId,
  idempotent: true,
  responses: { 201: json('The link, which is not shown again', NewShare) },
  errors: ['not_finished', 'conflict'],
});

export const listShares = defineOperation({
  ...shared,
  id: 'listShares',
  method: 'GET',
  path: '/v1/account/analyses/{job_id}/shares',
  summary: 'List the links to the report, revoked ones included',
  policy: reads,
  params: jobId,
  query: pageQuery('shr'),
  responses: { 200: pageOf('A page of links, newest first', z.array(Share)) },
});

export const revokeShare = defineOperation({
  ...shared,
  id: 'revokeShare',
  method: 'DELETE',
  path: '/v1/account/analyses/{job_id}/shares/{share_id}',
  summary: 'Revoke a link at once',
  policy: writes,
  params: pathIds('job_id', 'share_id'),
  responses: { 200: json('Revoked', Revoked) },
});

export const getSharedReport = defineOperation({
  ...shared,
  id: 'getSharedReport',
  method: 'GET',
  path: '/shared/{token}',
  summary: 'Open a shared report',
  policy: { access: 'signature' },
  params: pathIds('token'),
  responses: {
    200: { description: 'The report as a page', schema: null, contentType: 'text/html' },
    404: {
      description: 'A page saying that the link does not exist or was revoked',
      schema: null,
      contentType: 'text/html',
    },
  },
});
