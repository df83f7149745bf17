/** The steps of the contract walk: a rule of the API, what is tried, and the expected response. */

import { expect } from 'vitest';
import { freshEmail, register, signIn, type TestAnswer } from '../test-app.ts';
import { makeWav } from '../wav.ts';
import {
  bearer,
  client,
  db,
  doneId,
  get,
  keyed,
  keyWith,
  member,
  narrow,
  owner,
  post,
  queueJob,
  remove,
  SONG,
  stranger,
  strict,
  test,
  unpaid,
  upload,
  viewer,
  waitForEnd,
} from './contract-walk-service.ts';

type Show = (answer: TestAnswer) => unknown;
type Step = { says: string; tried: string; call: () => Promise<TestAnswer>; show: Show; wanted: unknown };
export const STEPS: Step[] = [];
const says = (rule: string) => ({
  tried: (tried: string, call: () => Promise<TestAnswer>, show: Show, wanted: unknown) =>
    void STEPS.push({ says: rule, tried, call, show, wanted }),
});

const code: Show = ({ status, body }) => `${status} ${body.code}`;
const issue: Show = ({ status, body }) =>
  `${status} ${body.detail[0].type} at ${body.detail[0].loc.join('.')}`;
const header =
  (name: string): Show =>
  ({ status, headers }) =>
    `${status}, ${name}: ${headers[name.toLowerCase()] ?? 'none'}`;

// Errors and limits
says('A validation failure has `detail[]` with `loc`, `msg`, `type`, `input`').tried(
  'an empty body for `/v1/analyze/url`',
  () => post('/v1/analyze/url', keyed, {}),
  ({ status, body }) => `${status} ${Object.keys(body.detail[0]).sort().join(', ')}`,
  '422 input, loc, msg, type',
);
says('409: the address exists at registration').tried(
  'the e-mail address of an account',
  () => post('/v1/auth/register', {}, { email: client.email }),
  code,
  '409 email_exists',
);
says('429: the registration limit of the address').tried(
  'a second registration where one an hour is allowed',
  async () => {
    await narrow.call('POST', '/v1/auth/register', { body: { email: freshEmail() }, ip: '192.0.2.1' });
    return narrow.call('POST', '/v1/auth/register', { body: { email: freshEmail() }, ip: '192.0.2.1' });
  },
  ({ status, body, headers }) => `${status} ${body.code}, Retry-After ${Number(headers['retry-after']) > 0}`,
  '429 rate_limited, Retry-After true',
);
says('502: the customer could not be made upstream').tried(
  'a registration while the provider fails',
  () => unpaid.call('POST', '/v1/auth/register', { body: { email: freshEmail() } }),
  code,
  '502 payment_provider_failed',
);
says('Upload size 50 MB').tried(
  'a file of 50,000,001 bytes',
  () => upload(new Uint8Array(50_000_001)),
  code,
  '413 payload_too_large',
);
says('Batch of up to 10 items').tried(
  '11 URLs',
  () => post('/v1/batch', keyed, { urls: Array(11).fill(SONG) }),
  issue,
  '422 too_long at body.urls',
);
says('A machine-readable contract is published').tried(
  '`/openapi.json`',
  () => get('/openapi.json'),
  ({ status, body }) => `${status} OpenAPI ${body.openapi}`,
  '200 OpenAPI 3.1.0',
);

// Every route
says('Malformed JSON is a 422 of type `json_invalid`').tried(
  '`{"url":`',
  () => post('/v1/analyze/url', keyed, '{"url":'),
  ({ status, body }) => `${status} ${body.detail[0].type}`,
  '422 json_invalid',
);
says('Every other error has a sentence, a code and the request id').tried(
  'an unknown job, with a request id of the client',
  () => get('/v1/analyses/job_nobody', { ...keyed, 'x-request-id': 'walk-0123456789' }),
  ({ status, body }) => `${status} ${Object.keys(body).sort().join(', ')}: ${body.request_id}`,
  '404 code, detail, request_id: walk-0123456789',
);
says('Missing credentials: 401 with `WWW-Authenticate`').tried(
  'no key',
  () => get('/v1/usage'),
  header('WWW-Authenticate'),
  '401, WWW-Authenticate: Bearer realm="earshot"',
);
says('Good credentials without the role: 403').tried(
  'a viewer submits',
  () => post('/v1/analyses', viewer, { source_url: SONG }),
  code,
  '403 insufficient_role',
);
says('Good credentials without the scope: 403').tried(
  'a read-only key submits',
  async () => post('/v1/analyze/url', await keyWith('analyses:read'), { url: SONG }),
  code,
  '403 insufficient_scope',
);
says('Not yours is not there, byte for byte').tried(
  "another workspace's job, and an unknown one",
  async () => {
    const headers = { ...stranger.headers, 'x-request-id': 'walk-same-bytes' };
    const [theirs, unknown] = [
      await get(`/v1/analyses/${doneId}`, headers),
      await get('/v1/analyses/x', headers),
    ];
    return { ...theirs, body: theirs.text === unknown.text };
  },
  ({ status, body }) => `${status}, the same bytes: ${body}`,
  '404, the same bytes: true',
);
says('Lists: `?limit=`, next page in `Link`').tried(
  '`limit=1` of two or more audit events',
  () => get('/v1/audit-events?limit=1', bearer),
  ({ body, headers }) => `${body.length} item, ${/rel="(\w+)"/.exec(headers.link ?? '')?.[1]}`,
  '1 item, next',
);
says('Too many requests: 429 with `Retry-After`, `RateLimit`, `RateLimit-Policy`').tried(
  'a third request where two a minute are allowed',
  async () => {
    const { headers } = await signIn(narrow);
    for (let n = 0; n < 2; n++) await narrow.call('GET', '/v1/usage', { headers });
    return narrow.call('GET', '/v1/usage', { headers });
  },
  ({ status, headers }) =>
    `${status} ${['retry-after', 'ratelimit', 'ratelimit-policy'].filter((name) => headers[name]).join(', ')}`,
  '429 retry-after, ratelimit, ratelimit-policy',
);
says('Quota used up: 402 naming limit, count and reset').tried(
  'one more than the monthly quota',
  async () => {
    const { headers, workspaceId } = await register(test);
    await post('/v1/analyze/url', headers, { url: SONG });
    await db.query('update credit_balances set used = granted where workspace_id = $1', [workspaceId]);
    return post('/v1/analyze/url', headers, { url: SONG });
  },
  ({ status, body }) => `${status} ${body.code}: ${body.limit}, ${body.count}, ${Boolean(body.resets_at)}`,
  '402 quota_exceeded: 100, 100, true',
);
says('Same key, same request: the stored answer').tried(
  'a submission twice under one `Idempotency-Key`',
  async () => {
    const headers = { ...bearer, 'idempotency-key': 'contract-walk' };
    const first = await post('/v1/analyses', headers, { source_url: SONG });
    const again = await post('/v1/analyses', headers, { source_url: SONG });
    return { ...again, body: { ...again.body, same: first.body.id === again.body.id } };
  },
  ({ status, body }) => `${status}, the same job: ${body.same}, idempotent_replay: ${body.idempotent_replay}`,
  '202, the same job: true, idempotent_replay: true',
);
says('Same key, different request: 409').tried(
  'another URL under that key',
  () =>
    post('/v1/analyses', { ...bearer, 'idempotency-key': 'contract-walk' }, { source_url: `${SONG}?other` }),
  code,
  '409 idempotency_key_reused',
);
says('`/version` has six members').tried(
  '`/version`',
  () => get('/version'),
  ({ body }) => Object.keys(body).sort().join(', '),
  'api, commit, engine, node, service, version',
);

// Credentials and roles
says('One key, both headers, both surfaces').tried(
  'the key as Bearer on the workspace surface',
  () => get(`/v1/analyses/${doneId}`, { authorization: `Bearer ${client.key}` }),
  ({ status, body }) => `${status} ${body.status}`,
  '200 completed',
);
says('The header decides the shape of `/v1/usage`').tried(
  'the same key in both headers, then as Bearer alone',
  async () => {
    const authorization = `Bearer ${client.key}`;
    const [key, workspace] = [
      await get('/v1/usage', { ...keyed, authorization }),
      await get('/v1/usage', { authorization }),
    ];
    return { ...key, body: ['remaining' in key.body, 'local_analysis_jobs' in workspace.body] };
  },
  ({ status, body }) => `${status}, key-based: ${body[0]}, workspace: ${body[1]}`,
  '200, key-based: true, workspace: true',
);
says('A session token in addition to the four named fields, and a cookie').tried(
  'a sign-in',
  async () => {
    const { body } = await post('/v1/auth/email/start', {}, { email: freshEmail() });
    return post('/v1/auth/email/verify', {}, { challenge_id: body.challenge_id, code: body.dev_code });
  },
  ({ body, headers }) =>
    `${body.token_type}, ${body.access_token.slice(0, 8)}…, ${/HttpOnly/.test(headers['set-cookie'] ?? '') && /SameSite=Lax/.test(headers['set-cookie'] ?? '')}`,
  'bearer, es_sess_…, true',
);
says('A sign-in code has five tries').tried(
  'the right code after five wrong ones',
  async () => {
    const { body } = await post('/v1/auth/email/start', {}, { email: freshEmail() });
    const challenge_id = body.challenge_id;
    const wrong = body.dev_code === '000000' ? '111111' : '000000';
    for (let n = 0; n < 5; n++) await post('/v1/auth/email/verify', {}, { challenge_id, code: wrong });
    return post('/v1/auth/email/verify', {}, { challenge_id, code: body.dev_code });
  },
  code,
  '429 too_many_attempts',
);
says('An unverified key: 403 `email_not_verified`').tried(
  'a submission where verification is required',
  async () => {
    const { headers } = await register(strict);
    return strict.call('POST', '/v1/analyze/url', { headers, body: { url: SONG } });
  },
  code,
  '403 email_not_verified',
);
says('Account, team and keys need a session').tried(
  'a key with every scope reads the team',
  () => get('/v1/account/team', keyed),
  ({ status }) => status,
  403,
);
says('The owner cannot be removed or demoted').tried(
  'the owner leaves',
  () => remove(`/v1/account/team/members/${owner.userId}`, bearer),
  ({ status }) => status,
  409,
);
says('A member may submit and not manage keys').tried(
  'a member creates a key',
  () => post('/v1/api-keys', member, { name: 'no', scopes: ['analyses:read'] }),
  code,
  '403 insufficient_role',
);
says('Every change made by a person writes an audit event').tried(
  'the newest event after a key was created',
  async () => {
    await keyWith('audit:read');
    return get('/v1/audit-events?limit=1', bearer);
  },
  ({ body }) => body[0].action,
  'api_key.create',
);

// Analyses
says('Exactly one of `source_url` and `storage_object_id`').tried(
  'neither',
  () => post('/v1/analyses', bearer, {}),
  issue,
  '422 value_error at body',
);
says('A hint contradicts itself: 422').tried(
  '`bpm_min` 140, `bpm_max` 90',
  () => post('/v1/analyses', bearer, { source_url: SONG, hints: { bpm_min: 140, bpm_max: 90 } }),
  ({ status }) => status,
  422,
);
says('A result asked for too early: 202, `result: null`, `Retry-After`').tried(
  'the result of a queued job',
  async () => get(`/v1/analyses/${await queueJob(bearer)}/result`, bearer),
  ({ status, body, headers }) =>
    `${status}, ${body.result}, ${body.report_artifact}, ${Number(headers['retry-after']) > 0}`,
  '202, null, null, true',
);
says('A failed job: 200 with code, message, retryable; it costs nothing').tried(
  'a URL that returns no audio',
  async () => {
    const before = (await get('/v1/usage', keyed)).body.count;
    const { body } = await post('/v1/analyze/url', keyed, { url: SONG });
    await waitForEnd(body.job_id, keyed);
    const after = (await get('/v1/usage', keyed)).body.count;
    const result = await get(`/v1/analyses/${body.job_id}/result`, keyed);
    return { ...result, body: { ...result.body, cost: after - before } };
  },
  ({ status, body }) =>
    `${status} ${body.status} ${body.error.code}, ${Object.keys(body.error).sort().join(', ')}, cost ${body.cost}`,
  '200 failed unsupported_format, code, message, retryable, cost 0',
);
says('A canceled job is `canceled` here').tried(
  'a queued job is canceled',
  async () => post(`/v1/analyses/${await queueJob(bearer)}/cancel`, bearer),
  ({ status, body }) => `${status} ${body.status}`,
  '200 canceled',
);
says('… and `failed` with a sentence on the key-based surface').tried(
  'the same, polled by a key-based client',
  async () => {
    const id = await queueJob(keyed);
    await post(`/v1/analyses/${id}/cancel`, keyed);
    return get(`/v1/analysis/${id}`, keyed);
  },
  ({ status, body }) => `${status} ${body.status} ${body.error_code}, error is ${typeof body.error}`,
  '200 failed canceled, error is string',
);
says('Events are of the closed list, oldest first').tried(
  'a finished job',
  () => get(`/v1/analyses/${doneId}/events?limit=100`, keyed),
  ({ body }) =>
    body
      .map(({ event_type }: { event_type: string }) => event_type)
      .filter((type: string) => type !== 'analysis.progress')
      .join(', '),
  'job.queued, job.started, audio.decoded, job.completed, source.deleted',
);
says('A deleted analysis is gone').tried(
  'deleted, then read',
  async () => {
    const { body } = await upload(makeWav({ seconds: 1 }));
    await waitForEnd(body.job_id, keyed);
    const deleted = await remove(`/v1/analyses/${body.job_id}`, bearer);
    expect(deleted.status).toBe(404);
    await remove(`/v1/analyses/${body.job_id}`, keyed);
    return get(`/v1/analyses/${body.job_id}`, keyed);
  },
  code,
  '404 not_found',
);
says('A storage object must be audio').tried(
  '`content_type: text/plain`',
  () => post('/v1/storage-objects', bearer, { content_type: 'text/plain', purpose: 'upload' }),
  ({ status, body }) => `${status} at ${body.detail[0].loc.join('.')}`,
  '422 at body.content_type',
);

// Forms, batches, the demo, payments, webhooks and outgoing requests
says('Forms obey the schema').tried(
  'an upload with an unknown field',
  () => upload(makeWav({ seconds: 1 }), keyed, { tempo: '120' }),
  issue,
  '422 extra_forbidden at body.tempo',
);
says('A batch is accepted whole or not at all').tried(
  'a batch of one valid and one invalid URL',
  async () => {
    const before = (await get('/v1/analyses?limit=100', keyed)).body.length;
    const answer = await post('/v1/batch', keyed, { items: [{ url: SONG }, { url: 'nonsense' }] });
    const made = (await get('/v1/analyses?limit=100', keyed)).body.length - before;
    return { ...answer, body: { ...answer.body, made } };
  },
  ({ status, body }) => `${status} at ${body.detail[0].loc.join('.')}, ${body.made} made`,
  '422 at body.items.1.url, 0 made',
);
says('A demo poll URL is token-gated').tried(
  'the poll URL without its token',
  async () => {
    const { body } = await post('/v1/demo/analyze/url', {}, { url: SONG });
    return get(new URL(body.poll_url).pathname);
  },
  code,
  '404 not_found',
);
says('A bad signature of the provider: 400').tried(
  'an unsigned event',
  () => post('/webhooks/payment', {}, { id: 'evt_1', type: 'invoice.paid' }),
  code,
  '400 bad_signature',
);
says('Deliveries again only for a finished job').tried(
  'a queued job',
  async () => post(`/v1/analyses/${await queueJob(bearer)}/webhook-deliveries`, bearer),
  ({ status }) => status,
  409,
);
says('… and where there is an endpoint').tried(
  'a finished job, no endpoint',
  () => post(`/v1/analyses/${doneId}/webhook-deliveries`, keyed),
  code,
  '409 no_webhook_endpoint',
);
says('Outgoing requests reach no private address').tried(
  'a URL on 10.0.0.1',
  () => post('/v1/analyze/url', keyed, { url: 'http://10.0.0.1/song.wav' }),
  ({ status, body }) => `${status} at ${body.detail[0].loc.join('.')}`,
  '422 at body.url',
);
says('A provider that is not configured is named').tried(
  '`enrich: ["acoustid"]` without its key',
  () => post('/v1/analyses', bearer, { source_url: SONG, enrich: ['acoustid'] }),
  ({ status, body }) => `${status} at ${body.detail[0].loc.join('.')}`,
  '422 at body.enrich.0',
);
