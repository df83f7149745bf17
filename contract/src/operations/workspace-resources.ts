import { z } from 'zod';
import { defineOperation, json, pageOf } from '../operation.ts';
import { Revoked } from '../resources/account.ts';
import { ApiKey, ApiKeyRequest, NewApiKey } from '../resources/api-key.ts';
import { AuditEvent } from '../resources/audit-event.ts';
import { KeyUsage, Usage } from '../resources/billing.ts';
import { StorageObject, StorageObjectRequest, StoredObject } from '../resources/storage-object.ts';
import { pageQuery, pathIds } from '../wire-values.ts';

const surface = 'workspace' as const;
const admins = { access: 'workspace', scope: null, role: 'admin' } as const;

export const listApiKeys = defineOperation({
  id: 'listApiKeys',
  method: 'GET',
  path: '/v1/api-keys',
  summary: 'List API keys, revoked ones included',
  tag: 'API keys',
  surface,
  policy: admins,
  query: pageQuery('key'),
  responses: { 200: pageOf('A page of keys', z.array(ApiKey)) },
});

export const createApiKey = defineOperation({
  id: 'createApiKey',
  method: 'POST',
  path: '/v1/api-keys',
  summary: 'Create an API key, which is shown only once',
  tag: 'API keys',
  surface,
  policy: admins,
  body: ApiKeyRequest,
  idempotent: true,
  responses: { 201: json('The key', NewApiKey) },
  errors: ['conflict'],
});

export const revokeApiKey = defineOperation({
  id: 'revokeApiKey',
  method: 'DELETE',
  path: '/v1/api-keys/{api_key_id}',
  summary: 'Revoke an API key at once',
  tag: 'API keys',
  surface,
  policy: admins,
  params: pathIds('api_key_id'),
  responses: { 200: json('Revoked', Revoked) },
});

export const listAuditEvents = defineOperation({
  id: 'listAuditEvents',
  method: 'GET',
  path: '/v1/audit-events',
  summary: 'List who changed what, newest first',
  tag: 'Audit',
  surface,
  policy: { access: 'workspace', scope: 'audit:read', role: 'admin' },
  query: pageQuery('aud'),
  responses: { 200: pageOf('A page of events', z.array(AuditEvent)) },
});

export const createStorageObject = defineOperation({
  id: 'createStorageObject',
  method: 'POST',
  path: '/v1/storage-objects',
  summary: 'Create a slot to upload one file to',
  tag: 'Storage objects',
  surface,
  policy: { access: 'workspace', scope: 'analyses:create', role: 'member' },
  body: StorageObjectRequest,
  idempotent: true,
  responses: { 201: json('The slot', StorageObject) },
  errors: ['storage_quota_exceeded', 'storage_full'],
});

export const uploadStorageObject = defineOperation({
  id: 'uploadStorageObject',
  method: 'PUT',
  path: '/v1/storage-objects/{storage_object_id}/content',
  summary: 'Upload a file into its slot (the `signed_url` of a slot on local storage)',
  tag: 'Storage objects',
  surface,
  policy: { access: 'signature' },
  params: pathIds('storage_object_id'),
  query: z.object({
    expires: z.string().max(32).meta({ description: 'From the `signed_url`' }),
    signature: z.string().max(128).meta({ description: 'From the `signed_url`' }),
  }),
  rawBody: {
    contentType: 'application/octet-stream',
    description: 'The file, with the content type the slot was made for',
    as: 'stream',
  },
  responses: { 200: json('Stored', StoredObject) },
  errors: ['object_already_uploaded', 'gone', 'payload_too_large', 'storage_full', 'storage_quota_exceeded'],
});

export const getUsage = defineOperation({
  id: 'getUsage',
  method: 'GET',
  path: '/v1/usage',
  summary: 'Read the usage of the current month',
  description: 'With the header `X-API-Key` the response is `KeyUsage`, otherwise `Usage`.',
  tag: 'Usage',
  surface: 'both',
  policy: { access: 'workspace', scope: 'usage:read', role: 'viewer' },
  responses: { 200: json('Usage', z.union([Usage, KeyUsage])) },
});
