import type * as contract from '@earshot/contract';
import type { z } from 'zod';
import type { WebhookAttempt, WebhookDelivery } from './delivery-store.ts';
import type { WebhookEndpoint } from './endpoint-store.ts';
import type { RevealedSecret } from './endpoints.ts';

export function presentEndpoint(endpoint: WebhookEndpoint): z.input<typeof contract.WebhookEndpoint> {
  return {
    id: endpoint.id,
    url: endpoint.url,
    created_at: endpoint.createdAt.toISOString(),
    updated_at: endpoint.updatedAt.toISOString(),
    description: endpoint.description,
    event_types: endpoint.eventTypes,
    status: endpoint.status === 'active' ? 'active' : 'disabled',
    disabled_reason: endpoint.disabledReason,
  };
}

export function presentSecret(revealed: RevealedSecret): z.input<typeof contract.SigningSecret> {
  return {
    signing_secret: revealed.secret,
    previous_secret_expires_at: revealed.previousSecretExpiresAt?.toISOString() ?? null,
  };
}

export function presentDelivery(delivery: WebhookDelivery): z.input<typeof contract.WebhookDelivery> {
  return {
    id: delivery.id,
    job_id: delivery.analysisId,
    event_type: delivery.eventType,
    status: delivery.status,
    attempt_count: delivery.attemptCount,
    signature: delivery.signature,
    created_at: delivery.createdAt.toISOString(),
    endpoint_id: delivery.endpointId,
    url: delivery.url,
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
    last_status_code: delivery.lastStatusCode,
    last_error: delivery.lastError,
    body: delivery.body,
  };
}

export function presentAttempt(attempt: WebhookAttempt): z.input<typeof contract.WebhookAttempt> {
  return {
    id: attempt.id,
    delivery_id: attempt.deliveryId,
    url: attempt.url,
    attempt: attempt.attempt,
    status: attempt.status,
    status_code: attempt.statusCode,
    error: attempt.error,
    attempted_at: attempt.attemptedAt.toISOString(),
    duration_ms: attempt.durationMs,
  };
}
