import { describe, expect, it } from 'vitest';
import { createTestDatabase } from '../test/database.ts';
import { buildTestApp, freshEmail, type SignedIn } from '../test/test-app.ts';
import { until } from '../test/until.ts';
import { fillWorkspace } from './test-filled-workspace.ts';

const { db } = await createTestDatabase({ connectionsMax: 20 });
const app = await buildTestApp(db, {}, { ALLOW_PRIVATE_TARGETS: '127.0.0.1/32' });

const isAnybodyWaiting = async () =>
  (
    await db.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  ).length > 0;

type Verb = [method: 'POST' | 'PATCH', url: string, body?: object];
type Filled = { owner: SignedIn; job: string; endpoint: string };

const VERBS: Record<string, (filled: Filled) => Verb> = {
  'a new key': () => ['POST', '/v1/api-keys', { name: 'late', scopes: ['analyses:read'] }],
  'a new endpoint': () => ['POST', '/v1/webhook-endpoints', { url: 'http://127.0.0.1/late' }],
  'another address for an endpoint': ({ endpoint }) => [
    'PATCH',
    `/v1/webhook-endpoints/${endpoint}`,
    { url: 'http://127.0.0.1/late' },
  ],
  'an endpoint that is enabled': ({ endpoint }) => [
    'PATCH',
    `/v1/webhook-endpoints/${endpoint}`,
    { status: 'active' },
  ],
  'a new secret of an endpoint': ({ endpoint }) => [
    'POST',
    `/v1/webhook-endpoints/${endpoint}/rotate-secret`,
  ],
  'a new default secret': () => ['POST', '/v1/webhook-signing-secret/rotate'],
  'a link to a report': ({ job }) => ['POST', `/v1/account/analyses/${job}/shares`],
  'an invitation': () => ['POST', '/v1/account/team/invitations', { email: freshEmail('late') }],
  'another retention': ({ owner }) => [
    'PATCH',
    `/v1/account/workspaces/${owner.workspaceId}`,
    { retention_days: 1 },
  ],
  'another name of the workspace': () => ['PATCH', '/v1/account/profile', { workspace_name: 'late' }],
  'a checkout': () => ['POST', '/v1/billing/checkout-sessions', { plan: 'pro' }],
  'the portal': () => ['POST', '/v1/billing/portal-sessions'],
};

describe('a member who is removed while the request waits for the team gets 403, and leaves nothing behind:', () => {
  it.each(Object.keys(VERBS))('%s', async (name) => {
    const { owner, job } = await fillWorkspace(app, db, `late${Object.keys(VERBS).indexOf(name)}`);
    const { workspaceId, userId, headers } = owner;
    const listed = await app.call('GET', '/v1/webhook-endpoints', { headers });
    const [method, url, body] = VERBS[name]!({ owner, job, endpoint: listed.body[0].id });
    const audited = () => db.query('select 1 from audit_events where workspace_id = $1', [workspaceId]);
    const before = (await audited()).length;
    let answered = false;
    const { answer } = await db.transaction(async (tx) => {
      await tx.query('select 1 from workspaces where id = $1 for update', [workspaceId]);
      const sent = app.call(method, url, { headers, body }).finally(() => {
        answered = true;
      });
      await until(async () => answered || (await isAnybodyWaiting()), 'the request waits for the team');
      await tx.query(
        `update memberships set status = 'removed', removed_at = now() where workspace_id = $1 and user_id = $2`,
        [workspaceId, userId],
      );
      return { answer: sent };
    });
    const { status, body: problem } = await answer;
    expect([status, problem.code]).toEqual([403, 'insufficient_role']);
    expect((await audited()).length).toBe(before);
  });
});

it('a change of an endpoint takes its locks in the order of closing: the workspace, then the endpoint', async () => {
  const { owner } = await fillWorkspace(app, db, 'circle');
  const { workspaceId, headers } = owner;
  const endpoint = (await app.call('GET', '/v1/webhook-endpoints', { headers })).body[0].id as string;
  const changing = await db.transaction(async (tx) => {
    // As closing does: the workspace first.
    await tx.query('select 1 from workspaces where id = $1 for no key update', [workspaceId]);
    const sent = app.call('PATCH', `/v1/webhook-endpoints/${endpoint}`, {
      headers,
      body: { url: 'http://127.0.0.1/elsewhere' },
    });
    await until(isAnybodyWaiting, 'the change waits');
    // Free: the change has not taken it.
    const free = await tx.query(
      'select 1 from webhook_endpoints where id = $1 for no key update skip locked',
      [endpoint],
    );
    return { sent, free: free.length };
  });
  expect(changing.free).toBe(1);
  expect((await changing.sent).status).toBe(200);
});
