import { z } from 'zod';
import { WEBHOOK_EVENT_TYPES } from '../event-names.ts';
import { count, httpUrl, identifier, label, timestamp, urlText } from '../wire-values.ts';

const SUBSCRIBABLE_EVENT_TYPES = ['analysis.completed', 'analysis.failed', 'analysis.canceled'] as const;
export type SubscribableEventType = (typeof SUBSCRIBABLE_EVENT_TYPES)[number];

const endpointFields = {
  id: identifier('whe'),
  url: urlText,
  created_at: timestamp,
  updated_at: timestamp,
  description: z.string().nullable(),
  event_types: z.array(z.enum(SUBSCRIBABLE_EVENT_TYPES)).meta({ description: 'Empty for every event' }),
  status: z.enum(['active', 'disabled']),
  disabled_reason: z.string().nullable(),
};

export const WebhookEndpoint = z.object(endpointFields).meta({ id: 'WebhookEndpoint' });

export const NewWebhookEndpoint = z
  .object({
    ...endpointFields,
    signing_secret: z.string().meta({ description: '`whsec_…`; it is not shown again' }),
  })
  .meta({ id: 'NewWebhookEndpoint' });

const eventTypes = z.array(z.enum(SUBSCRIBABLE_EVENT_TYPES)).max(SUBSCRIBABLE_EVENT_TYPES.length);

export const WebhookEndpointRequest = z
  .strictObject({ url: httpUrl(), description: label(200).nullish(), event_types: eventTypes.nullish() })
  .meta({ id: 'WebhookEndpointRequest', examples: [{ url: 'https://example.com/hooks/earshot' }] });

export const WebhookEndpointUpdate = z
  .strictObject({
    url: httpUrl().optional(),
    description: label(200).nullish(),
    event_types: eventTypes.nullish(),
    status: z.enum(['active', 'disabled']).optional(),
  })
  .meta({ id: 'WebhookEndpointUpdate', examples: [{ status: 'disabled' }] });

export const SigningSecret = z
  .object({
    signing_secret: z.string(),
    previous_secret_expires_at: timestamp
      .nullable()
      .meta({ description: 'Until then every call is also signed with the previous secret' }),
  })
  .meta({ id: 'SigningSecret' });

const DELIVERY_STATUSES = ['pending', 'delivering', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

const deliveryFields = {
  id: identifier('whd'),
  job_id: z.string().nullable().meta({ description: 'Null for a test call' }),
  event_type: z.enum(WEBHOOK_EVENT_TYPES),
  status: z.enum(DELIVERY_STATUSES),
  attempt_count: count,
  signature: z
    .string()
    .meta({ description: 'The last one sent, or, before the first attempt, the one that will be sent' }),
  created_at: timestamp,
  endpoint_id: z.string().nullable().meta({ description: "Null for a job's own webhook_url" }),
  url: urlText,
  next_attempt_at: timestamp.nullable(),
  last_status_code: z.int().nullable(),
  last_error: z.string().nullable(),
  body: z.string().meta({ description: 'The request body, byte for byte, that the signature covers' }),
};

export const WebhookDelivery = z.object(deliveryFields).meta({ id: 'WebhookDelivery' });

export const JobWebhookDelivery = z
  .object({ ...deliveryFields, job_id: identifier('job'), related_delivery_ids: z.array(identifier('whd')) })
  .meta({ id: 'JobWebhookDelivery' });

export const DeliverySummary = z
  .object({ attempted: count, delivered: count, failed: count, pending: count })
  .meta({ id: 'DeliverySummary' });

export const WebhookAttempt = z
  .object({
    id: identifier('att'),
    delivery_id: identifier('whd'),
    url: z.string(),
    attempt: count,
    status: z.enum(['delivered', 'failed']),
    status_code: z.int().nullable(),
    error: z.string().nullable(),
    attempted_at: timestamp,
    duration_ms: count,
  })
  .meta({ id: 'WebhookAttempt' });

export const WebhookAttempts = z
  .object({ job_id: identifier('job'), attempts: z.array(WebhookAttempt) })
  .meta({ id: 'WebhookAttempts' });
