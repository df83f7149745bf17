/**
 * The routes and fields that the service was specified to have, as data; the numbers are the sections of that specification.
 * interface-table.test.ts compares them with the operations and the published document, and
 * server/src/test/journeys/interface-walk.db.test.ts with a running service.
 *
 * A `?` after a type marks a field that may be absent ("present once …"), and `|null` one that may be null.
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
  /** The fields of the body, of each item if `array` is set, or of one of its alternatives. */
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
const API_KEY: Fields = {
  id: 'string',
  name: 'string',
  prefix: 'string',
  scopes: 'array',
  created_at: 'date-time',
};
const BILLING_SESSION: Fields = { id: 'string', url: 'string' };
const RECEIPT: Fields = { accepted: 'boolean', event_type: 'string' };
const ACCEPTED: Fields = { job_id: 'string', status: 'string' };

const row =
  (auth: Row['auth']) =>
  (route: string, status: number, response: Fields, more: Partial<Row> = {}): Row => ({
    route,
    auth,
    status,
    response,
    ...more,
  });
const open = row('none');
const bearer = row('Bearer');
const keyed = row('API key');
const signed = row('signature');

export const ROWS: Row[] = [
  // 4.1 Operational
  open('GET /health', 200, { status: 'string' }),
  open('GET /ready', 200, { status: 'string' }),
  open('GET /version', 200, { service: 'string', version: 'string' }),
  // 4.2 Analyses
  bearer('POST /v1/analyses', 202, JOB, { headers: ['Idempotency-Key'] }),
  bearer('GET /v1/analyses/{job_id}', 200, JOB),
  bearer('GET /v1/analyses/{job_id}/events', 200, EVENT, { array: true }),
  bearer('GET /v1/analyses/{job_id}/result', 200, RESULT),
  bearer('POST /v1/analyses/{job_id}/webhook-deliveries', 201, { ...DELIVERY, job_id: 'string' }),
  bearer('POST /v1/account/analyses', 202, JOB, {
    request: { storage_object_id: 'string', idempotency_key: 'string|null?' },
  }),
  bearer('GET /v1/account/analyses/{job_id}', 200, JOB),
  bearer('GET /v1/account/analyses/{job_id}/events', 200, EVENT, { array: true }),
  bearer('GET /v1/account/analyses/{job_id}/result', 200, RESULT),
  // 4.3 Account, team, workspaces
  bearer('GET /v1/account/profile', 200, PROFILE),
  bearer('PATCH /v1/account/profile', 200, PROFILE, { request: {} }),
  bearer('GET /v1/account/team', 200, { invitations: 'array', members: 'array' }),
  bearer('POST /v1/account/team/invitations', 201, INVITATION, { request: { email: 'email' } }),
  bearer('DELETE /v1/account/team/invitations/{invitation_id}', 200, { revoked: 'boolean' }),
  bearer(
    'PATCH /v1/account/team/members/{user_id}',
    200,
    { member: 'object', updated: 'boolean' },
    { request: { role: 'string' } },
  ),
  bearer('DELETE /v1/account/team/members/{user_id}', 200, { removed: 'boolean' }),
  bearer('POST /v1/account/team/members/{user_id}/transfer-ownership', 200, {
    owner: 'object',
    previous_owner: 'object',
    transferred: 'boolean',
  }),
  bearer('GET /v1/account/workspaces', 200, { workspaces: 'array' }),
  bearer('POST /v1/account/workspaces/{workspace_id}/session', 200, PROFILE),
  // 4.4 Authentication
  open(
    'POST /v1/auth/email/start',
    200,
    { challenge_id: 'string', dev_code: 'string|null', expires_at: 'date-time' },
    { request: { email: 'email' } },
  ),
  open(
    'POST /v1/auth/email/verify',
    200,
    { email: 'email', expires_at: 'date-time', user_id: 'string', workspace_id: 'string' },
    { request: { challenge_id: 'string', code: 'string' } },
  ),
  bearer('GET /v1/auth/session', 200, {
    email: 'email',
    expires_at: 'date-time',
    user_id: 'string',
    workspace_id: 'string',
    workspace_role: 'string',
  }),
  bearer('POST /v1/auth/logout', 200, { revoked: 'boolean' }),
  // 4.5 API keys, audit, storage, usage
  bearer('GET /v1/api-keys', 200, { ...API_KEY, revoked_at: 'date-time?' }, { array: true }),
  bearer(
    'POST /v1/api-keys',
    201,
    { ...API_KEY, plaintext_key: 'string' },
    { request: { name: 'string', scopes: 'array' } },
  ),
  bearer('DELETE /v1/api-keys/{api_key_id}', 200, { revoked: 'boolean' }),
  bearer(
    'GET /v1/audit-events',
    200,
    {
      id: 'string',
      action: 'string',
      target_type: 'string',
      target_id: 'string',
      metadata: 'object',
      created_at: 'date-time',
    },
    { array: true },
  ),
  bearer(
    'POST /v1/storage-objects',
    201,
    { id: 'string', bucket: 'string', key: 'string', signed_url: 'url', expires_at: 'date-time' },
    { request: { content_type: 'string', purpose: 'string|null?' } },
  ),
  bearer('GET /v1/usage', 200, {
    workspace_id: 'string',
    local_analysis_jobs: 'integer',
    local_analysis_credits: 'integer',
    provider_enrichment_jobs: 'integer',
  }),
  // 4.6 Billing
  bearer('POST /v1/billing/checkout-sessions', 201, BILLING_SESSION, { request: {} }),
  bearer('POST /v1/billing/portal-sessions', 201, BILLING_SESSION),
  bearer('GET /v1/billing/status', 200, {
    workspace_id: 'string',
    plan: 'string',
    status: 'string',
    local_credit_balance: 'integer',
  }),
  ...[
    '/v1/billing/payment/webhook',
    '/v1/billing/stripe/webhook',
    '/webhooks/payment',
    '/webhooks/stripe',
  ].map((path) =>
    signed(`POST ${path}`, 200, RECEIPT, { headers: ['payment-signature', 'stripe-signature'] }),
  ),
  // 4.7 Webhooks
  bearer(
    'POST /v1/webhook-endpoints',
    201,
    { id: 'string', url: 'url', created_at: 'date-time', signing_secret: 'string' },
    { request: { url: 'url' } },
  ),
  bearer('GET /v1/webhook-deliveries', 200, { ...DELIVERY, job_id: 'string|null' }, { array: true }),
  bearer(
    'POST /v1/webhook-deliveries/deliver',
    200,
    { attempted: 'integer', delivered: 'integer', failed: 'integer', pending: 'integer' },
    { query: { force: 'boolean?' } },
  ),
  // 4.8 Key-based surface
  open(
    'POST /v1/auth/register',
    201,
    { user_id: 'string', workspace_id: 'string', email: 'email', api_key: 'string' },
    { request: { email: 'email' } },
  ),
  open(
    'POST /v1/auth/verify-email',
    200,
    { verified: 'boolean', email: 'email' },
    { request: { token: 'string' } },
  ),
  keyed('POST /v1/analyze/upload', 202, ACCEPTED),
  keyed('POST /v1/analyze/url', 202, ACCEPTED, { request: { url: 'url', webhook_url: 'url|null?' } }),
  keyed('POST /v1/batch', 202, { jobs: 'array' }),
  keyed('POST /v1/analyze/batch', 202, { jobs: 'array' }),
  keyed('GET /v1/analysis/{job_id}', 200, {
    ...ACCEPTED,
    result: 'object|null',
    error: 'string|null',
    sections: 'array',
  }),
  keyed('GET /v1/analysis/{job_id}', 202, ACCEPTED),
  keyed('GET /v1/analysis/{job_id}/full', 200, { ...ACCEPTED, sections: 'array' }),
  keyed('GET /v1/analysis/{job_id}/webhooks', 200, { job_id: 'string', attempts: 'array' }),
  keyed('GET /v1/usage', 200, {
    period: 'string',
    limit: 'integer',
    count: 'integer',
    remaining: 'integer',
    meter: 'object|null',
  }),
  keyed('GET /v1/billing/status', 200, {
    tier: 'string',
    meter: 'object|null',
    portal_available: 'boolean',
    email_verified: 'boolean',
  }),
  open('POST /v1/demo/analyze/url', 202, { ...ACCEPTED, poll_url: 'url' }, { request: { url: 'url' } }),
];
