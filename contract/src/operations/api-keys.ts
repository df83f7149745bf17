import { z } from 'zod';
import { defineOperation, json, pageOf } from '../operation.ts';
import { Revoked } from '../resources/account.ts';
import { ApiKey, ApiKeyRequest, NewApiKey } from '../resources/api-key.ts';
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
