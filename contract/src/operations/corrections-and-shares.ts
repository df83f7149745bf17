import { z } from 'zod';
import { defineOperation, json, pageOf } from '../operation.ts';
import { Revoked } from '../resources/account.ts';
import { Correction, CorrectionRequest } from '../resources/correction.ts';
import { NewShare, Share } from '../resources/share.ts';
import { pageQuery, pathIds } from '../wire-values.ts';

const shared = { tag: 'Analyses', surface: 'workspace' } as const;
const reads = { access: 'workspace', scope: 'analyses:read', role: 'viewer' } as const;
const writes = { access: 'workspace', scope: 'analyses:create', role: 'member' } as const;
const jobId = pathIds('job_id');

const corrects = { access: 'workspace', scope: 'analyses:write', role: 'member' } as const;

const reading = {
  ...shared,
  method: 'GET',
  summary: 'Read what a person said is true of the song',
  policy: reads,
  params: jobId,
  responses: { 200: json('The correction; all fields null when there is none', Correction) },
} as const;

const replacing = {
  ...shared,
  method: 'PUT',
  summary: 'Say what is true: tempo, bars, beats, key, chords, sections',
  description:
    'From then on it is the truth everywhere: in the list, the result, every export, the report and its shares. Replaces the whole ' +
    'correction; an empty object takes it back. `?as_heard=true` of the result gives what the engine said.',
  policy: corrects,
  params: jobId,
  body: CorrectionRequest,
  responses: { 200: json('The correction as it is now', Correction) },
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
  summary: 'Take the correction back: everything is as it was heard',
  policy: corrects,
  params: jobId,
  responses: { 200: json('The correction as it is now: none', Correction) },
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
  summary: 'Make a link to the report that works without an account',
  policy: writes,
  params: jobId,
  idempotent: true,
  responses: { 201: json('The link, told once', NewShare) },
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
  summary: 'The report behind a link',
  policy: { access: 'signature' },
  params: pathIds('token'),
  responses: {
    200: { description: 'The report as a page', schema: null, contentType: 'text/html' },
    404: {
      description: 'No such link, or it was revoked: a page that says so',
      schema: null,
      contentType: 'text/html',
    },
  },
});
