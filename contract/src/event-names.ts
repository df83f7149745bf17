/** The events in the log of an analysis. */
export const JOB_EVENT_TYPES = [
  'job.queued',
  'job.started',
  'job.retrying',
  'source.downloaded',
  'audio.decoded',
  'analysis.progress',
  'enrichment.completed',
  'job.completed',
  'job.failed',
  'job.canceled',
  'source.deleted',
  'webhook.queued',
  'webhook.delivered',
  'webhook.failed',
] as const;
export type JobEventType = (typeof JOB_EVENT_TYPES)[number];

/** The events that webhook endpoints receive. `webhook.test` is sent only on request. */
export const WEBHOOK_EVENT_TYPES = [
  'analysis.completed',
  'analysis.failed',
  'analysis.canceled',
  'webhook.test',
] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

/** The payment provider's events that we act on. */
export const PAYMENT_EVENT_TYPES = [
  'checkout.session.completed',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'invoice.paid',
  'invoice.payment_failed',
  'customer.updated',
  'customer.deleted',
] as const;
