/**
 * The rows of part 4 of the interface, as data, held against the operations and the published document. A row that loses
 * its route, its credential, a field or a field's type fails here.
 *
 * Types: `?` after a type where the interface says "present once …"; `|null` where the contract decided that a value may
 * be absent (docs/errors.md and the result format say when).
 */
export type Fields = Record<string, string>;
export type Row = {
  route: string;
  auth: 'none' | 'Bearer' | 'API key' | 'signature';
  /** Fields of the JSON body; `?` where optional. */
  request?: Fields;
  headers?: string[];
  query?: Fields;
  status: number;
  /** Of the object, of each item for `array`, or of one of the alternatives. */
  response: Fields;
  array?: boolean;
};

const JOB: Fields = {
  id: 'string',
  status: 'string',
  source_url: 'string',
  idempotent_replay: 'boolean',
  created_at: 'date-time',
  updated_at: 'date-time',
};
const EVENT: Fields = {
  id: 'string',
  event_type: 'string',
  message: 'string',
  metadata: 'object',
  created_at: 'date-time',
};
const RESULT: Fields = {
  job_id: 'string',
  status: 'string',
  result: 'object|null',
  report_artifact: 'object|null',
};
const DELIVERY: Fields = {
  id: 'string',
  event_type: 'string',
  status: 'string',
  attempt_count: 'integer',
  signature: 'string',
  created_at: 'date-time',
};
const PROFILE: Fields = {
  user_id: 'string',
  email: 'email',
  expires_at: 'date-time',
  workspace_id: 'string',
  workspace_name: 'string',
  workspace_role: 'string',
  notification_preferences: 'object',
};
export const MEMBER: Fields = { user_id: 'string', email: 'string', role: 'string', status: 'string' };
export const INVITATION: Fields = {
  id: 'string',
  email: 'string',
  role: 'string',
  status: 'string',
  created_at: 'date-time',
  expires_at: 'date-time',
  accepted_at: 'date-time?',
  revoked_at: 'date-time?',
};
const BILLING_SESSION: Fields = { id: 'string', url: 'string' };
const RECEIPT: Fields = { accepted: 'boolean', event_type: 'string' };
const ACCEPTED: Fields = { job_id: 'string', status: 'string' };

export const ROWS: Row[] = [
  // 4.1 Operational
  { route: 'GET /health', auth: 'none', status: 200, response: { status: 'string' } },
  { route: 'GET /ready', auth: 'none', status: 200, response: { status: 'string' } },
  { route: 'GET /version', auth: 'none', status: 200, response: { service: 'string', version: 'string' } },
  // 4.2 Analyses
  { route: 'POST /v1/analyses', auth: 'Bearer', headers: ['Idempotency-Key'], status: 202, response: JOB },
  { route: 'GET /v1/analyses/{job_id}', auth: 'Bearer', status: 200, response: JOB },
  { route: 'GET /v1/analyses/{job_id}/events', auth: 'Bearer', status: 200, response: EVENT, array: true },
  { route: 'GET /v1/analyses/{job_id}/result', auth: 'Bearer', status: 200, response: RESULT },
  {
    route: 'POST /v1/analyses/{job_id}/webhook-deliveries',
    auth: 'Bearer',
    status: 201,
    response: { ...DELIVERY, job_id: 'string' },
  },
  {
    route: 'POST /v1/account/analyses',
    auth: 'Bearer',
    request: { storage_object_id: 'string', idempotency_key: 'string|null?' },
    status: 202,
    response: JOB,
  },
  { route: 'GET /v1/account/analyses/{job_id}', auth: 'Bearer', status: 200, response: JOB },
  {
    route: 'GET /v1/account/analyses/{job_id}/events',
    auth: 'Bearer',
    status: 200,
    response: EVENT,
    array: true,
  },
  { route: 'GET /v1/account/analyses/{job_id}/result', auth: 'Bearer', status: 200, response: RESULT },
  // 4.3 Account, team, workspaces
  { route: 'GET /v1/account/profile', auth: 'Bearer', status: 200, response: PROFILE },
  { route: 'PATCH /v1/account/profile', auth: 'Bearer', request: {}, status: 200, response: PROFILE },
  {
    route: 'GET /v1/account/team',
    auth: 'Bearer',
    status: 200,
    response: { invitations: 'array', members: 'array' },
  },
  {
    route: 'POST /v1/account/team/invitations',
    auth: 'Bearer',
    request: { email: 'email' },
    status: 201,
    response: INVITATION,
  },
  {
    route: 'DELETE /v1/account/team/invitations/{invitation_id}',
    auth: 'Bearer',
    status: 200,
    response: { revoked: 'boolean' },
  },
  {
    route: 'PATCH /v1/account/team/members/{user_id}',
    auth: 'Bearer',
    request: { role: 'string' },
    status: 200,
    response: { member: 'object', updated: 'boolean' },
  },
  {
    route: 'DELETE /v1/account/team/members/{user_id}',
    auth: 'Bearer',
    status: 200,
    response: { removed: 'boolean' },
  },
  {
    route: 'POST /v1/account/team/members/{user_id}/transfer-ownership',
    auth: 'Bearer',
    status: 200,
    response: { owner: 'object', previous_owner: 'object', transferred: 'boolean' },
  },
  { route: 'GET /v1/account/workspaces', auth: 'Bearer', status: 200, response: { workspaces: 'array' } },
  {
    route: 'POST /v1/account/workspaces/{workspace_id}/session',
    auth: 'Bearer',
    status: 200,
    response: PROFILE,
  },
  // 4.4 Authentication
  {
    route: 'POST /v1/auth/email/start',
    auth: 'none',
    request: { email: 'email' },
    status: 200,
    response: { challenge_id: 'string', dev_code: 'string|null', expires_at: 'date-time' },
  },
  {
    route: 'POST /v1/auth/email/verify',
    auth: 'none',
    request: { challenge_id: 'string', code: 'string' },
    status: 200,
    response: { email: 'email', expires_at: 'date-time', user_id: 'string', workspace_id: 'string' },
  },
  {
    route: 'GET /v1/auth/session',
    auth: 'Bearer',
    status: 200,
    response: {
      email: 'email',
      expires_at: 'date-time',
      user_id: 'string',
      workspace_id: 'string',
      workspace_role: 'string',
    },
  },
  { route: 'POST /v1/auth/logout', auth: 'Bearer', status: 200, response: { revoked: 'boolean' } },
  // 4.5 API keys, audit, storage, usage
  {
    route: 'GET /v1/api-keys',
    auth: 'Bearer',
    status: 200,
    array: true,
    response: {
      id: 'string',
      name: 'string',
      prefix: 'string',
      scopes: 'array',
      created_at: 'date-time',
      revoked_at: 'date-time?',
    },
  },
  {
    route: 'POST /v1/api-keys',
    auth: 'Bearer',
    request: { name: 'string', scopes: 'array' },
    status: 201,
    response: {
      id: 'string',
      name: 'string',
      prefix: 'string',
      scopes: 'array',
      created_at: 'date-time',
      plaintext_key: 'string',
    },
  },
  {
    route: 'DELETE /v1/api-keys/{api_key_id}',
    auth: 'Bearer',
    status: 200,
    response: { revoked: 'boolean' },
  },
  {
    route: 'GET /v1/audit-events',
    auth: 'Bearer',
    status: 200,
    array: true,
    response: {
      id: 'string',
      action: 'string',
      target_type: 'string',
      target_id: 'string',
      metadata: 'object',
      created_at: 'date-time',
    },
  },
  {
    route: 'POST /v1/storage-objects',
    auth: 'Bearer',
    request: { content_type: 'string', purpose: 'string|null?' },
    status: 201,
    response: { id: 'string', bucket: 'string', key: 'string', signed_url: 'url', expires_at: 'date-time' },
  },
  {
    route: 'GET /v1/usage',
    auth: 'Bearer',
    status: 200,
    response: {
      workspace_id: 'string',
      local_analysis_jobs: 'integer',
      local_analysis_credits: 'integer',
      provider_enrichment_jobs: 'integer',
    },
  },
  // 4.6 Billing
  {
    route: 'POST /v1/billing/checkout-sessions',
    auth: 'Bearer',
    request: {},
    status: 201,
    response: BILLING_SESSION,
  },
  { route: 'POST /v1/billing/portal-sessions', auth: 'Bearer', status: 201, response: BILLING_SESSION },
  {
    route: 'GET /v1/billing/status',
    auth: 'Bearer',
    status: 200,
    response: { workspace_id: 'string', plan: 'string', status: 'string', local_credit_balance: 'integer' },
  },
  ...[
    '/v1/billing/payment/webhook',
    '/v1/billing/stripe/webhook',
    '/webhooks/payment',
    '/webhooks/stripe',
  ].map(
    (path): Row => ({
      route: `POST ${path}`,
      auth: 'signature',
      headers: ['payment-signature', 'stripe-signature'],
      status: 200,
      response: RECEIPT,
    }),
  ),
  // 4.7 Webhooks
  {
    route: 'POST /v1/webhook-endpoints',
    auth: 'Bearer',
    request: { url: 'url' },
    status: 201,
    response: { id: 'string', url: 'url', created_at: 'date-time', signing_secret: 'string' },
  },
  {
    route: 'GET /v1/webhook-deliveries',
    auth: 'Bearer',
    status: 200,
    array: true,
    response: { ...DELIVERY, job_id: 'string|null' },
  },
  {
    route: 'POST /v1/webhook-deliveries/deliver',
    auth: 'Bearer',
    query: { force: 'boolean?' },
    status: 200,
    response: { attempted: 'integer', delivered: 'integer', failed: 'integer', pending: 'integer' },
  },
  // 4.8 Key-based surface
  {
    route: 'POST /v1/auth/register',
    auth: 'none',
    request: { email: 'email' },
    status: 201,
    response: { user_id: 'string', workspace_id: 'string', email: 'email', api_key: 'string' },
  },
  {
    route: 'POST /v1/auth/verify-email',
    auth: 'none',
    request: { token: 'string' },
    status: 200,
    response: { verified: 'boolean', email: 'email' },
  },
  { route: 'POST /v1/analyze/upload', auth: 'API key', status: 202, response: ACCEPTED },
  {
    route: 'POST /v1/analyze/url',
    auth: 'API key',
    request: { url: 'url', webhook_url: 'url|null?' },
    status: 202,
    response: ACCEPTED,
  },
  { route: 'POST /v1/batch', auth: 'API key', status: 202, response: { jobs: 'array' } },
  { route: 'POST /v1/analyze/batch', auth: 'API key', status: 202, response: { jobs: 'array' } },
  {
    route: 'GET /v1/analysis/{job_id}',
    auth: 'API key',
    status: 200,
    response: { ...ACCEPTED, result: 'object|null', error: 'string|null', sections: 'array' },
  },
  { route: 'GET /v1/analysis/{job_id}', auth: 'API key', status: 202, response: ACCEPTED },
  {
    route: 'GET /v1/analysis/{job_id}/full',
    auth: 'API key',
    status: 200,
    response: { ...ACCEPTED, sections: 'array' },
  },
  {
    route: 'GET /v1/analysis/{job_id}/webhooks',
    auth: 'API key',
    status: 200,
    response: { job_id: 'string', attempts: 'array' },
  },
  {
    route: 'GET /v1/usage',
    auth: 'API key',
    status: 200,
    response: {
      period: 'string',
      limit: 'integer',
      count: 'integer',
      remaining: 'integer',
      meter: 'object|null',
    },
  },
  {
    route: 'GET /v1/billing/status',
    auth: 'API key',
    status: 200,
    response: {
      tier: 'string',
      meter: 'object|null',
      portal_available: 'boolean',
      email_verified: 'boolean',
    },
  },
  {
    route: 'POST /v1/demo/analyze/url',
    auth: 'none',
    request: { url: 'url' },
    status: 202,
    response: { ...ACCEPTED, poll_url: 'url' },
  },
];
