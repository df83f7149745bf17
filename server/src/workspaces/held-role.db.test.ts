import { describe, expect, it } from 'vitest';
import { isQueryBlocked } from '../test/blocked-query.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestApp, freshEmail, type SignedIn } from '../test/test-app.ts';
import { until } from '../test/until.ts';
import { fillWorkspace } from './test-filled-workspace.ts';

const { db } = await createTestDatabase({ connectionsMax: 20 });
const app = await buildTestApp(db, {}, { ALLOW_PRIVATE_TARGETS: '127.0.0.1/32' });

type ChangeRequest = [method: 'POST' | 'PATCH' | 'DELETE', url: string, body?: object];
type Filled = { owner: SignedIn; job: string; endpoint: string };

const CHANGES: Record<string, (filled: Filled) => ChangeRequest> = {
  'a new key': () => ['POST', '/v1/api-keys', { name: 'late', scopes: ['analyses:read'] }],
  'a new endpoint': () => ['POST', '/v1/webhook-endpoints', { url: 'http://127.0.0.1/late' }],
  'another URL for an endpoint': ({ endpoint }) => [
    'PATCH',
    `/v1/webhook-endpoints/${endpoint}`,
    { url: 'http://127.0.0.1/late' },
  ],
  'an endpoint that is enabled again': ({ endpoint }) => [
    'PATCH',
    `/v1/webhook-endpoints/${endpoint}`,
    { status: 'active' },
  ],
  'a new secret of an endpoint': ({ endpoint }) => [
    'POST',
    `/v1/webhook-endpoints/${endpoint}/rotate-secret`,
  ],
  'the deletion of an endpoint': ({ endpoint }) => ['DELETE', `/v1/webhook-endpoints/${endpoint}`],
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

describe('a member who is removed while the request waits for the lock of the team gets 403, and nothing is written:', () => {
  it.each(Object.keys(CHANGES))('%s', async (name) => {
    const { owner, job } = await fillWorkspace(app, db, `late${Object.keys(CHANGES).indexOf(name)}`);
    const { workspaceId, userId, headers } = owner;
    const listed = await app.call('GET', '/v1/webhook-endpoints', { headers });
    const [method, url, body] = CHANGES[name]!({ owner, job, endpoint: listed.body[0].id });
    const auditEvents = () => db.query('select 1 from audit_events where workspace_id = $1', [workspaceId]);
    const before = (await auditEvents()).length;
    let answered = false;
    const { answer } = await db.transaction(async (tx) => {
      await tx.query('select 1 from workspaces where id = $1 for update', [workspaceId]);
      const sent = app.call(method, url, { headers, body }).finally(() => {
        answered = true;
      });
      await until(
        async () => answered || (await isQueryBlocked(db)),
        'the request waits for the lock of the team',
      );
      await tx.query(
        `update memberships set status = 'removed', removed_at = now() where workspace_id = $1 and user_id = $2`,
        [workspaceId, userId],
      );
      return { answer: sent };
    });
    const { status, body: problem } = await answer;
    expect([status, problem.code]).toEqual([403, 'insufficient_role']);
    expect((await auditEvents()).length).toBe(before);
  });
});

it('a change to an endpoint locks the workspace before the endpoint, as closing does', async () => {
  const { owner } = await fillWorkspace(app, db, 'lock-order');
  const { workspaceId, headers } = owner;
  const endpoint = (await app.call('GET', '/v1/webhook-endpoints', { headers })).body[0].id as string;
  const changing = await db.transaction(async (tx) => {
    await tx.query('select 1 from workspaces where id = $1 for no key update', [workspaceId]);
    const sent = app.call('PATCH', `/v1/webhook-endpoints/${endpoint}`, {
      headers,
      body: { url: 'http://127.0.0.1/elsewhere' },
    });
    await until(() => isQueryBlocked(db), 'the change waits');
    const unlocked = await tx.query(
      'select 1 from webhook_endpoints where id = $1 for no key update skip locked',
      [endpoint],
    );
    return { sent, unlockedCount: unlocked.length };
  });
  expect(changing.unlockedCount).toBe(1);
  expect((await changing.sent).status).toBe(200);
});
