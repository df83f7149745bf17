import { z } from 'zod';
import { defineOperation, json, pageOf } from '../operation.ts';
import {
  DeliverySummary,
  NewWebhookEndpoint,
  SigningSecret,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointRequest,
  WebhookEndpointUpdate,
} from '../resources/webhook.ts';
import { pageQuery, pathIds, wireBoolean } from '../wire-values.ts';

const shared = { tag: 'Webhooks', surface: 'workspace' } as const;
const adminWrites = { access: 'workspace', scope: 'webhooks:write', role: 'admin' } as const;
const adminReads = { access: 'workspace', scope: 'webhooks:read', role: 'admin' } as const;
const endpointId = pathIds('endpoint_id');

export const createWebhookEndpoint = defineOperation({
  ...shared,
  id: 'createWebhookEndpoint',
  method: 'POST',
  path: '/v1/webhook-endpoints',
  summary: 'Register a URL that is called when jobs finish',
  policy: adminWrites,
  body: WebhookEndpointRequest,
  idempotent: true,
  responses: { 201: json('The endpoint and its secret, which is not shown again', NewWebhookEndpoint) },
  errors: ['conflict'],
});

export const listWebhookEndpoints = defineOperation({
  ...shared,
  id: 'listWebhookEndpoints',
  method: 'GET',
  path: '/v1/webhook-endpoints',
  summary: 'List endpoints',
  policy: adminReads,
  query: pageQuery('whe'),
  responses: { 200: pageOf('A page of endpoints', z.array(WebhookEndpoint)) },
});

export const getWebhookEndpoint = defineOperation({
  ...shared,
  id: 'getWebhookEndpoint',
  method: 'GET',
  path: '/v1/webhook-endpoints/{endpoint_id}',
  summary: 'Read an endpoint',
  policy: adminReads,
  params: endpointId,
  responses: { 200: json('The endpoint', WebhookEndpoint) },
});

export const updateWebhookEndpoint = defineOperation({
  ...shared,
  id: 'updateWebhookEndpoint',
  method: 'PATCH',
  path: '/v1/webhook-endpoints/{endpoint_id}',
  summary: 'Change, disable or enable an endpoint',
  policy: adminWrites,
  params: endpointId,
  body: WebhookEndpointUpdate,
  responses: { 200: json('The endpoint', WebhookEndpoint) },
  errors: ['conflict'],
});

export const deleteWebhookEndpoint = defineOperation({
  ...shared,
  id: 'deleteWebhookEndpoint',
  method: 'DELETE',
  path: '/v1/webhook-endpoints/{endpoint_id}',
  summary: 'Delete an endpoint and its pending deliveries',
  policy: adminWrites,
  params: endpointId,
  responses: { 200: json('Deleted', z.object({ deleted: z.boolean() }).meta({ id: 'DeletedEndpoint' })) },
});

export const rotateWebhookSecret = defineOperation({
  ...shared,
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: '/v1/webhook-endpoints/{endpoint_id}/rotate-secret',
  summary: 'Replace the signing secret; the old one stays valid for a day',
  policy: adminWrites,
  params: endpointId,
  idempotent: true,
  responses: { 200: json('The new secret, which is not shown again', SigningSecret) },
});

export const testWebhookEndpoint = defineOperation({
  ...shared,
  id: 'testWebhookEndpoint',
  method: 'POST',
  path: '/v1/webhook-endpoints/{endpoint_id}/test',
  summary: 'Send a `webhook.test` call now',
  policy: adminWrites,
  params: endpointId,
  responses: { 200: json('The delivery after its single attempt', WebhookDelivery) },
  errors: ['conflict', 'endpoint_disabled'],
});

export const getDefaultSigningSecret = defineOperation({
  ...shared,
  id: 'getDefaultSigningSecret',
  method: 'GET',
  path: '/v1/webhook-signing-secret',
  summary: "Read the secret that signs calls to a job's own webhook_url",
  policy: adminWrites,
  responses: { 200: json('The secret', SigningSecret) },
});

export const rotateDefaultSigningSecret = defineOperation({
  ...shared,
  id: 'rotateDefaultSigningSecret',
  method: 'POST',
  path: '/v1/webhook-signing-secret/rotate',
  summary: 'Replace the default secret; the old one stays valid for a day',
  policy: adminWrites,
  idempotent: true,
  responses: { 200: json('The new secret', SigningSecret) },
});

export const listWebhookDeliveries = defineOperation({
  ...shared,
  id: 'listWebhookDeliveries',
  method: 'GET',
  path: '/v1/webhook-deliveries',
  summary: 'List deliveries, newest first',
  policy: { access: 'workspace', scope: 'webhooks:read', role: 'viewer' },
  query: pageQuery('whd'),
  responses: { 200: pageOf('A page of deliveries', z.array(WebhookDelivery)) },
});

export const deliverWebhooks = defineOperation({
  ...shared,
  id: 'deliverWebhooks',
  method: 'POST',
  path: '/v1/webhook-deliveries/deliver',
  summary: 'Attempt all due deliveries now',
  policy: { access: 'workspace', scope: 'webhooks:write', role: 'member' },
  query: z.object({
    force: wireBoolean()
      .optional()
      .meta({
        description: 'Include deliveries that wait for a later attempt or have failed permanently',
        default: false,
      })
      .transform((value) => value ?? false),
  }),
  responses: { 200: json('The outcome', DeliverySummary) },
});
