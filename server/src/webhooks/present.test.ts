import { expect, it } from 'vitest';
import { presentAttempt, presentDelivery, presentEndpoint, presentSecret } from './present.ts';

const [first, second] = [new Date('2026-03-01T12:00:00Z'), new Date('2026-03-01T12:05:00Z')];

const endpoint = {
  id: 'whe_1',
  workspaceId: 'ws_1',
  url: 'https://example.com/hook',
  description: 'Catalogue',
  eventTypes: ['analysis.failed' as const],
  status: 'disabled' as const,
  signingSecret: 'sealed',
  previousSigningSecret: 'sealed before',
  previousSecretExpiresAt: second,
  firstFailureAt: first,
  disabledReason: 'Disabled on request.',
  createdAt: first,
  updatedAt: second,
};

it('presents an endpoint without its secrets', () => {
  expect(presentEndpoint(endpoint)).toEqual({
    id: 'whe_1',
    url: 'https://example.com/hook',
    created_at: '2026-03-01T12:00:00.000Z',
    updated_at: '2026-03-01T12:05:00.000Z',
    description: 'Catalogue',
    event_types: ['analysis.failed'],
    status: 'disabled',
    disabled_reason: 'Disabled on request.',
  });
  expect(presentEndpoint({ ...endpoint, status: 'active', disabledReason: null })).toMatchObject({
    status: 'active',
    disabled_reason: null,
  });
});

it('presents a secret with the end of the previous one', () => {
  expect(presentSecret({ secret: 'whsec_1', previousSecretExpiresAt: first })).toEqual({
    signing_secret: 'whsec_1',
    previous_secret_expires_at: '2026-03-01T12:00:00.000Z',
  });
  expect(presentSecret({ secret: 'whsec_1', previousSecretExpiresAt: null })).toEqual({
    signing_secret: 'whsec_1',
    previous_secret_expires_at: null,
  });
});

it('presents a delivery', () => {
  const delivery = {
    id: 'whd_1',
    workspaceId: 'ws_1',
    analysisId: 'job_1',
    endpointId: 'whe_1',
    url: 'https://example.com/hook',
    eventType: 'analysis.failed' as const,
    body: '{}',
    status: 'pending' as const,
    attemptCount: 2,
    nextAttemptAt: second,
    lastStatusCode: 503,
    lastError: 'Answered 503',
    signature: 'v1,abc',
    createdAt: first,
  };
  const presented = {
    id: 'whd_1',
    job_id: 'job_1',
    event_type: 'analysis.failed',
    status: 'pending',
    attempt_count: 2,
    signature: 'v1,abc',
    created_at: '2026-03-01T12:00:00.000Z',
    endpoint_id: 'whe_1',
    url: 'https://example.com/hook',
    next_attempt_at: '2026-03-01T12:05:00.000Z',
    last_status_code: 503,
    last_error: 'Answered 503',
    body: '{}',
  };
  expect(presentDelivery(delivery)).toEqual(presented);
  expect(presentDelivery({ ...delivery, nextAttemptAt: null })).toEqual({
    ...presented,
    next_attempt_at: null,
  });
});

it('presents an attempt', () => {
  const attempt = {
    id: 'att_1',
    deliveryId: 'whd_1',
    attempt: 3,
    url: 'https://example.com/hook',
    status: 'failed' as const,
    statusCode: 500,
    error: 'Answered 500',
    durationMs: 120,
    attemptedAt: first,
  };
  expect(presentAttempt(attempt)).toEqual({
    id: 'att_1',
    delivery_id: 'whd_1',
    url: 'https://example.com/hook',
    attempt: 3,
    status: 'failed',
    status_code: 500,
    error: 'Answered 500',
    attempted_at: '2026-03-01T12:00:00.000Z',
    duration_ms: 120,
  });
});
