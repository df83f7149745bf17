import { readFile, writeFile } from 'node:fs/promises';
import { type Fields, ROWS, type Row } from '@earshot/contract/interface-rows';
import { afterAll, describe, expect, it } from 'vitest';
import { signEvent } from '../../billing/event-signature.ts';
import { sandboxWebhookSecret } from '../../billing/sandbox-provider.ts';
import { startAnalysisWorker } from '../analysis-service.ts';
import { audioForm } from '../client.ts';
import { createTestDatabase } from '../database.ts';
import { startLocalServer } from '../local-server.ts';
import { buildTestApp, freshEmail, register, signIn, type TestAnswer } from '../test-app.ts';
import { until } from '../until.ts';
import { makeWav } from '../wav.ts';

/**
 * Calls every row of the interface, each with its own credential, and checks status and fields of the response. `WRITE_WALK=1` writes the
 * responses into docs/interface-walk.md; otherwise that page must have the responses of this run.
 */

const PAGE = new URL('../../../../docs/interface-walk.md', import.meta.url);
const { db } = await createTestDatabase({ connectionsMax: 20 });
const test = await buildTestApp(db);
const worker = await startAnalysisWorker(test.ctx);
afterAll(() => worker.stop(0));

const wav = makeWav({ seconds: 2 });
const origin = await startLocalServer((_request, response) => response.end(wav));
const SONG = `${origin.url}/song.wav`;
const owner = await signIn(test);
const bearer = owner.headers;
const client = await register(test);
const keyed = client.headers;
const guest = await signIn(test);

const post = (url: string, headers: Record<string, string>, body?: unknown) =>
  test.call('POST', url, { headers, body });
const get = (url: string, headers: Record<string, string> = {}) => test.call('GET', url, { headers });

const upload = (headers: Record<string, string>) =>
  test.call('POST', '/v1/analyze/upload', { headers, body: audioForm(wav) });

/** Returns the id once the job is completed. */
async function completed(id: string, headers: Record<string, string>): Promise<string> {
  await until(
    async () => (await get(`/v1/analyses/${id}`, headers)).body.status === 'completed',
    'the job is completed',
  );
  return id;
}

async function uploadedObjectId(): Promise<string> {
  const { body } = await post('/v1/storage-objects', bearer, {
    content_type: 'audio/wav',
    purpose: 'upload',
  });
  const { pathname, search } = new URL(body.signed_url);
  const headers = { 'content-type': 'audio/wav' };
  await test.app.inject({ method: 'PUT', url: `${pathname}${search}`, headers, payload: Buffer.from(wav) });
  return body.id;
}

function providerEvent(path: string, header: string): Promise<TestAnswer> {
  const created = Math.floor(Date.now() / 1000);
  const payload = JSON.stringify({
    id: `evt_${path}`,
    type: 'customer.updated',
    created,
    data: { object: { id: 'cus_x' } },
  });
  const signature = signEvent(sandboxWebhookSecret(test.deps.config), payload, new Date());
  return test.call('POST', path, { headers: { [header]: signature }, body: payload });
}

async function invite(email: string): Promise<TestAnswer> {
  return post('/v1/account/team/invitations', bearer, { email });
}

/** The user id of a new member of the owner's workspace. */
async function newMemberId(): Promise<string> {
  const email = freshEmail('member');
  await invite(email);
  return (await signIn(test, email)).userId;
}

// What some rows need to exist.
const endpoint = await post('/v1/webhook-endpoints', bearer, { url: `${origin.url}/hook` });
await post('/v1/api-keys', bearer, { name: 'first', scopes: ['analyses:read'] });
const doneId = await completed((await post('/v1/analyses', bearer, { source_url: SONG })).body.id, bearer);
const keyedDoneId = await completed((await upload(keyed)).body.job_id, keyed);

type Step = { row: string; tried: string; call: () => Promise<TestAnswer> };
const step = (row: string, tried: string, call: () => Promise<TestAnswer>): Step => ({ row, tried, call });

const STEPS: Step[] = [
  step('GET /health (none) 200', 'no credentials', () => get('/health')),
  step('GET /ready (none) 200', 'no credentials', () => get('/ready')),
  step('GET /version (none) 200', 'no credentials', () => get('/version')),
  step('POST /v1/analyses (Bearer) 202', 'a URL and an Idempotency-Key', () =>
    post('/v1/analyses', { ...bearer, 'idempotency-key': 'walk' }, { source_url: SONG }),
  ),
  step('GET /v1/analyses/{job_id} (Bearer) 200', 'a finished job', () =>
    get(`/v1/analyses/${doneId}`, bearer),
  ),
  step('GET /v1/analyses/{job_id}/events (Bearer) 200', 'a finished job', () =>
    get(`/v1/analyses/${doneId}/events`, bearer),
  ),
  step('GET /v1/analyses/{job_id}/result (Bearer) 200', 'a finished job', () =>
    get(`/v1/analyses/${doneId}/result`, bearer),
  ),
  step('POST /v1/analyses/{job_id}/webhook-deliveries (Bearer) 201', 'a finished job, one endpoint', () =>
    post(`/v1/analyses/${doneId}/webhook-deliveries`, bearer),
  ),
  step('POST /v1/account/analyses (Bearer) 202', 'an uploaded object and an idempotency_key', async () =>
    post('/v1/account/analyses', bearer, {
      storage_object_id: await uploadedObjectId(),
      idempotency_key: 'walk-object',
    }),
  ),
  step('GET /v1/account/analyses/{job_id} (Bearer) 200', 'a finished job', () =>
    get(`/v1/account/analyses/${doneId}`, bearer),
  ),
  step('GET /v1/account/analyses/{job_id}/events (Bearer) 200', 'a finished job', () =>
    get(`/v1/account/analyses/${doneId}/events`, bearer),
  ),
  step('GET /v1/account/analyses/{job_id}/result (Bearer) 200', 'a finished job', () =>
    get(`/v1/account/analyses/${doneId}/result`, bearer),
  ),
  step('GET /v1/account/profile (Bearer) 200', 'a session', () => get('/v1/account/profile', bearer)),
  step('PATCH /v1/account/profile (Bearer) 200', 'one preference', () =>
    test.call('PATCH', '/v1/account/profile', {
      headers: bearer,
      body: { notification_preferences: { product_updates: false } },
    }),
  ),
  step('GET /v1/account/team (Bearer) 200', 'a session', () => get('/v1/account/team', bearer)),
  step('POST /v1/account/team/invitations (Bearer) 201', 'an e-mail address', () => invite(freshEmail())),
  step('DELETE /v1/account/team/invitations/{invitation_id} (Bearer) 200', 'a pending one', async () => {
    const { body } = await invite(freshEmail());
    return test.call('DELETE', `/v1/account/team/invitations/${body.id}`, { headers: bearer });
  }),
  step('PATCH /v1/account/team/members/{user_id} (Bearer) 200', 'a member becomes viewer', async () =>
    test.call('PATCH', `/v1/account/team/members/${await newMemberId()}`, {
      headers: bearer,
      body: { role: 'viewer' },
    }),
  ),
  step('DELETE /v1/account/team/members/{user_id} (Bearer) 200', 'a member', async () =>
    test.call('DELETE', `/v1/account/team/members/${await newMemberId()}`, { headers: bearer }),
  ),
  step('POST /v1/account/team/members/{user_id}/transfer-ownership (Bearer) 200', 'to a member', async () => {
    const [from, email] = [await signIn(test), freshEmail()];
    await post('/v1/account/team/invitations', from.headers, { email });
    const { userId } = await signIn(test, email);
    return post(`/v1/account/team/members/${userId}/transfer-ownership`, from.headers);
  }),
  step('GET /v1/account/workspaces (Bearer) 200', 'a session', () => get('/v1/account/workspaces', bearer)),
  step('POST /v1/account/workspaces/{workspace_id}/session (Bearer) 200', "the person's own", () =>
    post(`/v1/account/workspaces/${owner.workspaceId}/session`, bearer),
  ),
  step('POST /v1/auth/email/start (none) 200', 'an e-mail address', () =>
    post('/v1/auth/email/start', {}, { email: freshEmail() }),
  ),
  step('POST /v1/auth/email/verify (none) 200', 'the challenge and its code', async () => {
    const { body } = await post('/v1/auth/email/start', {}, { email: freshEmail() });
    return post('/v1/auth/email/verify', {}, { challenge_id: body.challenge_id, code: body.dev_code });
  }),
  step('GET /v1/auth/session (Bearer) 200', 'a session', () => get('/v1/auth/session', bearer)),
  step('POST /v1/auth/logout (Bearer) 200', 'a session', () => post('/v1/auth/logout', guest.headers)),
  step('GET /v1/api-keys (Bearer) 200', 'a session', () => get('/v1/api-keys', bearer)),
  step('POST /v1/api-keys (Bearer) 201', 'a name and a scope', () =>
    post('/v1/api-keys', bearer, { name: 'walk', scopes: ['analyses:create'] }),
  ),
  step('DELETE /v1/api-keys/{api_key_id} (Bearer) 200', 'a key', async () => {
    const { body } = await post('/v1/api-keys', bearer, { name: 'gone', scopes: ['analyses:create'] });
    return test.call('DELETE', `/v1/api-keys/${body.id}`, { headers: bearer });
  }),
  step('GET /v1/audit-events (Bearer) 200', 'a session', () => get('/v1/audit-events', bearer)),
  step('POST /v1/storage-objects (Bearer) 201', 'content_type and purpose', () =>
    post('/v1/storage-objects', bearer, { content_type: 'audio/wav', purpose: 'upload' }),
  ),
  step('GET /v1/usage (Bearer) 200', 'a session', () => get('/v1/usage', bearer)),
  step('POST /v1/billing/checkout-sessions (Bearer) 201', 'a plan', () =>
    post('/v1/billing/checkout-sessions', bearer, { plan: 'pro' }),
  ),
  step('POST /v1/billing/portal-sessions (Bearer) 201', 'no body', () =>
    post('/v1/billing/portal-sessions', bearer),
  ),
  step('GET /v1/billing/status (Bearer) 200', 'a session', () => get('/v1/billing/status', bearer)),
  ...[
    ['/v1/billing/payment/webhook', 'payment-signature'],
    ['/v1/billing/stripe/webhook', 'stripe-signature'],
    ['/webhooks/payment', 'payment-signature'],
    ['/webhooks/stripe', 'stripe-signature'],
  ].map(([path = '', header = '']) =>
    step(`POST ${path} (signature) 200`, `a signed event, ${header}`, () => providerEvent(path, header)),
  ),
  step('POST /v1/webhook-endpoints (Bearer) 201', 'a URL', () =>
    post('/v1/webhook-endpoints', bearer, { url: `${origin.url}/other-hook` }),
  ),
  step('GET /v1/webhook-deliveries (Bearer) 200', 'a session', () => get('/v1/webhook-deliveries', bearer)),
  step('POST /v1/webhook-deliveries/deliver (Bearer) 200', 'force=true', () =>
    post('/v1/webhook-deliveries/deliver?force=true', bearer),
  ),
  step('POST /v1/auth/register (none) 201', 'an e-mail address', () =>
    post('/v1/auth/register', {}, { email: freshEmail() }),
  ),
  step('POST /v1/auth/verify-email (none) 200', 'the token', async () => {
    const { body } = await post('/v1/auth/register', {}, { email: freshEmail() });
    return post('/v1/auth/verify-email', {}, { token: body.dev_verification_token });
  }),
  step('POST /v1/analyze/upload (API key) 202', 'a WAV as the field file', () => upload(keyed)),
  step('POST /v1/analyze/url (API key) 202', 'a URL', () => post('/v1/analyze/url', keyed, { url: SONG })),
  step('POST /v1/batch (API key) 202', 'two URLs', () => post('/v1/batch', keyed, { urls: [SONG, SONG] })),
  step('POST /v1/analyze/batch (API key) 202', 'two items', () =>
    post('/v1/analyze/batch', keyed, { items: [{ url: SONG }, { url: SONG }] }),
  ),
  step('GET /v1/analysis/{job_id} (API key) 200', 'a finished job', () =>
    get(`/v1/analysis/${keyedDoneId}`, keyed),
  ),
  step('GET /v1/analysis/{job_id} (API key) 202', 'a queued job', async () => {
    await worker.stop(0);
    const { body } = await post('/v1/analyze/url', keyed, { url: SONG });
    return get(`/v1/analysis/${body.job_id}`, keyed);
  }),
  step('GET /v1/analysis/{job_id}/full (API key) 200', 'a finished job', () =>
    get(`/v1/analysis/${keyedDoneId}/full`, keyed),
  ),
  step('GET /v1/analysis/{job_id}/webhooks (API key) 200', 'a finished job', () =>
    get(`/v1/analysis/${keyedDoneId}/webhooks`, keyed),
  ),
  step('GET /v1/usage (API key) 200', 'the key in both headers', () =>
    get('/v1/usage', { ...keyed, authorization: `Bearer ${client.key}` }),
  ),
  step('GET /v1/billing/status (API key) 200', 'the key in both headers', () =>
    get('/v1/billing/status', { ...keyed, authorization: `Bearer ${client.key}` }),
  ),
  step('POST /v1/demo/analyze/url (none) 202', 'a URL', () =>
    post('/v1/demo/analyze/url', {}, { url: SONG }),
  ),
];

/** Every route, and two analyses, on a busy machine. */
const WALK_TIMEOUT_MS = 120_000;

const nameOf = ({ route, auth, status }: Row) => `${route} (${auth}) ${status}`;

/** Null when the response has every field of the row with its type; otherwise what is wrong. */
function faultOf(row: Row, { status, body }: TestAnswer): string | null {
  if (status !== row.status) return `status ${status}`;
  if (row.array && !Array.isArray(body)) return 'no array';
  const item = row.array ? body[0] : body;
  const wrong = Object.entries(row.response as Fields).filter(([name, type]) => !fits(item?.[name], type));
  return wrong.length === 0 ? null : `wrong: ${wrong.map(([name]) => name).join(', ')}`;
}

function fits(value: unknown, type: string): boolean {
  if (value === undefined) return type.endsWith('?');
  if (value === null) return type.includes('|null');
  switch (type.replace(/[?]|\|null/g, '')) {
    case 'integer':
      return Number.isInteger(value);
    case 'object':
      return typeof value === 'object' && !Array.isArray(value);
    case 'array':
      return Array.isArray(value);
    case 'date-time':
      return /^\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z$/.test(String(value));
    case 'url':
      return URL.canParse(String(value));
    case 'email':
      return /^\S+@\S+$/.test(String(value));
    default:
      return typeof value === type.replace(/[?]|\|null/g, '');
  }
}

describe('the interface, row by row', () => {
  it(
    'has a step for every row, and every row answers as specified',
    async () => {
      expect(endpoint.status).toBe(201);
      expect(STEPS.map(({ row }) => row).sort()).toEqual(ROWS.map(nameOf).sort());
      const lines: string[] = [];
      const faults: string[] = [];
      for (const { row: name, tried, call } of STEPS) {
        const row = ROWS.find((candidate) => nameOf(candidate) === name)!;
        const answer = await call();
        const fault = faultOf(row, answer);
        if (fault) faults.push(`${name}: ${fault} ${answer.text.slice(0, 200)}`);
        const came = `${answer.status}${row.array ? ', a list' : ''} with ${Object.keys(row.response).join(', ')}`;
        lines.push(`| \`${row.route}\` | ${row.auth} | ${tried} | ${came} |`);
      }
      expect(faults).toEqual([]);
      const page = `${HEAD}${lines.join('\n')}\n`;
      if (process.env.WRITE_WALK) await writeFile(PAGE, page);
      expect(await readFile(PAGE, 'utf8')).toBe(page);
    },
    WALK_TIMEOUT_MS,
  );
});

const HEAD = `# The interface, walked

<!-- Written by \`npm run walk\`. -->

Every row of the interface, called with its own credential on a service with a worker: what was tried, and what came back. The
fields named are those of the row, each checked against its type; responses have more. ${ROWS.length} of ${ROWS.length} match.

| Row | Credential | Tried | Came back |
|---|---|---|---|
`;
