import { describe, expect, test } from 'vitest';
import type { Transaction } from '../platform/postgres.ts';
import { DAY_MS } from '../platform/time-units.ts';
import { isQueryBlocked } from '../test/blocked-query.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestApp, freshEmail, type SignedIn, signIn } from '../test/test-app.ts';
import { until } from '../test/until.ts';
import { lockTeam } from './store.ts';

const { db } = await createTestDatabase({ connectionsMax: 20 });
/** As long as the invitation's mail says. */
const INVITATION_MS = 7 * DAY_MS;
/** A race may go either way in each. */
const RACE_ROUNDS = 5;
let nowMs = Date.parse('2026-03-01T12:00:00Z');
const app = await buildTestApp(db, { clock: () => new Date(nowMs) });

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
const as = (person: SignedIn, method: Method, url: string, body?: unknown) =>
  app.call(method, url, { headers: person.headers, body });
const invite = (person: SignedIn, email: string, role?: string) =>
  as(person, 'POST', '/v1/account/team/invitations', role === undefined ? { email } : { email, role });

/** Invites a new person with the role, signs them in, and switches their session to the inviter's workspace. */
async function join(owner: SignedIn, role: string): Promise<SignedIn> {
  const email = freshEmail(role);
  expect((await invite(owner, email, role)).status).toBe(201);
  const member = await signIn(app, email);
  const switched = await as(member, 'POST', `/v1/account/workspaces/${owner.workspaceId}/session`);
  expect(switched.status).toBe(200);
  return member;
}

async function removeByHand(tx: Transaction, workspaceId: string, userId: string): Promise<void> {
  await tx.query(`update memberships set status = 'removed' where workspace_id = $1 and user_id = $2`, [
    workspaceId,
    userId,
  ]);
}

/** The answer to a request that is sent between the two locks of a removal. */
async function duringRemoval<T>(owner: SignedIn, member: SignedIn, send: () => Promise<T>): Promise<T> {
  let answered = false;
  const removed = await db.transaction(async (tx) => {
    await lockTeam(tx, owner.workspaceId);
    const sent = send().finally(() => {
      answered = true;
    });
    await until(async () => answered || (await isQueryBlocked(db)), 'the request waits for the removal');
    // If the removal waited for the request, which waits for it, both would be in a deadlock.
    await tx.query(`set local lock_timeout = '100ms'`);
    await removeByHand(tx, owner.workspaceId, member.userId);
    return { sent };
  });
  return removed.sent;
}

async function ownersOf(workspaceId: string): Promise<string[]> {
  const rows = await db.query<{ user_id: string }>(
    "select user_id from memberships where workspace_id = $1 and role = 'owner' and status = 'active'",
    [workspaceId],
  );
  return rows.map(({ user_id }) => user_id);
}

describe('profile', () => {
  test('GET 200 has the session and profile fields; PATCH changes only what it names', async () => {
    const person = await signIn(app);
    const { status, body } = await as(person, 'GET', '/v1/account/profile');
    expect(status).toBe(200);
    expect(body).toEqual({
      user_id: person.userId,
      email: person.email,
      expires_at: expect.any(String),
      workspace_id: person.workspaceId,
      workspace_name: `${person.email.split('@')[0]}'s workspace`,
      workspace_role: 'owner',
      notification_preferences: { analysis_complete: true, billing_updates: true, product_updates: false },
      name: null,
      email_verified: true,
    });
    const changed = await as(person, 'PATCH', '/v1/account/profile', {
      name: 'Ada',
      workspace_name: 'Engines',
      notification_preferences: { product_updates: true },
    });
    expect(changed.body).toEqual({
      ...body,
      name: 'Ada',
      workspace_name: 'Engines',
      notification_preferences: { ...body.notification_preferences, product_updates: true },
    });
    const unchanged = await as(person, 'PATCH', '/v1/account/profile', {});
    expect(unchanged.body).toEqual(changed.body);
    expect((await as(person, 'PATCH', '/v1/account/profile', { name: null })).body.name).toBeNull();
  });

  test('403 when a member renames the workspace', async () => {
    const member = await join(await signIn(app), 'member');
    const refused = await as(member, 'PATCH', '/v1/account/profile', { workspace_name: 'Mine' });
    expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_role']);
  });

  test('422 for fields that cannot be set', async () => {
    const person = await signIn(app);
    const { status, body } = await as(person, 'PATCH', '/v1/account/profile', {
      role: 'owner',
      email: 'x@y.z',
    });
    expect(status).toBe(422);
    expect(body.detail.map(({ type }: { type: string }) => type)).toEqual([
      'extra_forbidden',
      'extra_forbidden',
    ]);
  });
});

describe('invitations', () => {
  test('201 pending; signing in accepts; the team shows both', async () => {
    const owner = await signIn(app);
    const email = freshEmail();
    const invitation = await invite(owner, email, 'admin');
    expect(invitation.status).toBe(201);
    expect(invitation.body).toEqual({
      id: expect.stringMatching(/^inv_/),
      email,
      role: 'admin',
      status: 'pending',
      created_at: new Date(nowMs).toISOString(),
      expires_at: new Date(nowMs + INVITATION_MS).toISOString(),
    });
    const invited = await signIn(app, email);
    expect(invited.workspaceId).not.toBe(owner.workspaceId);
    const { body: team } = await as(owner, 'GET', '/v1/account/team');
    expect(team.members).toEqual([
      { user_id: owner.userId, email: owner.email, name: null, role: 'owner', status: 'active' },
      { user_id: invited.userId, email, name: null, role: 'admin', status: 'active' },
    ]);
    expect(team.invitations).toEqual([
      { ...invitation.body, status: 'accepted', accepted_at: new Date(nowMs).toISOString() },
    ]);
    const queued = await db.query('select 1 from mail_outbox where recipient = $1', [email]);
    expect(queued).toHaveLength(1);
  });

  test('409 for a member and for a pending invitation; 201 again after that has expired', async () => {
    const owner = await signIn(app);
    expect((await invite(owner, owner.email)).body.code).toBe('already_member');
    const email = freshEmail();
    expect((await invite(owner, email)).body.role).toBe('member');
    expect((await invite(owner, email.toUpperCase())).body.code).toBe('already_invited');
    nowMs += INVITATION_MS;
    const late = await signIn(app, owner.email);
    const { body: team } = await as(late, 'GET', '/v1/account/team');
    expect(team.invitations[0].status).toBe('expired');
    expect((await invite(late, email)).status).toBe(201);
  });

  test('an expired invitation is not accepted at sign-in', async () => {
    const owner = await signIn(app);
    const email = freshEmail();
    await invite(owner, email);
    nowMs += INVITATION_MS;
    const invited = await signIn(app, email);
    const { body } = await as(invited, 'GET', '/v1/account/workspaces');
    expect(body.workspaces).toHaveLength(1);
  });

  test('revoking twice returns revoked: true; an accepted invitation is 409, that of another workspace 404', async () => {
    const owner = await signIn(app);
    const email = freshEmail();
    const { body: invitation } = await invite(owner, email);
    const url = `/v1/account/team/invitations/${invitation.id}`;
    const stranger = await signIn(app);
    expect((await as(stranger, 'DELETE', url)).status).toBe(404);
    for (const _ of [1, 2]) expect((await as(owner, 'DELETE', url)).body).toEqual({ revoked: true });
    const { body: team } = await as(owner, 'GET', '/v1/account/team');
    expect(team.invitations[0]).toMatchObject({ status: 'revoked', revoked_at: expect.any(String) });
    const uninvited = await signIn(app, email);
    expect((await as(uninvited, 'GET', '/v1/account/workspaces')).body.workspaces).toHaveLength(1);

    const { body: second } = await invite(owner, email);
    await signIn(app, email);
    const accepted = await as(owner, 'DELETE', `/v1/account/team/invitations/${second.id}`);
    expect([accepted.status, accepted.body.code]).toEqual([409, 'conflict']);
  });

  test('422 for the role owner', async () => {
    const owner = await signIn(app);
    const { status, body } = await invite(owner, freshEmail(), 'owner');
    expect(status).toBe(422);
    expect(body.detail[0]).toMatchObject({
      type: 'enum',
      msg: "Input should be 'viewer', 'member' or 'admin'",
      ctx: { expected: "'viewer', 'member' or 'admin'" },
    });
  });

  test('of twenty concurrent invitations of one address only one is created', async () => {
    const owner = await signIn(app);
    const email = freshEmail();
    const answers = await Promise.all(Array.from({ length: 20 }, () => invite(owner, email)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
  });

  test('429 after a hundred in a day, in that workspace only', async () => {
    const [owner, other] = [await signIn(app), await signIn(app)];
    for (let sent = 0; sent < 100; sent += 1) {
      expect((await invite(owner, freshEmail())).status).toBe(201);
    }
    const refused = await invite(owner, freshEmail());
    expect([refused.status, refused.headers['ratelimit-policy']]).toEqual([
      429,
      '"invitations";q=100;w=86400',
    ]);
    expect((await invite(other, freshEmail())).status).toBe(201);
    nowMs += DAY_MS;
    expect((await invite(owner, freshEmail())).status).toBe(201);
  });

  test('403 for an admin who was removed while the request waited for the lock of the team', async () => {
    const owner = await signIn(app);
    const admin = await join(owner, 'admin');
    const email = freshEmail();
    const { workspaceId } = owner;
    const waiting = await db.transaction(async (tx) => {
      await tx.query('select 1 from workspaces where id = $1 for update', [workspaceId]);
      const inviting = invite(admin, email);
      await until(() => isQueryBlocked(db), 'the invitation waits');
      await tx.query(`update memberships set status = 'removed' where workspace_id = $1 and user_id = $2`, [
        workspaceId,
        admin.userId,
      ]);
      return { inviting };
    });
    expect((await waiting.inviting).status).toBe(403);
    expect((await as(owner, 'GET', '/v1/account/team')).body.invitations).toHaveLength(1);
  });

  test('a sign-in concurrent with a revocation either makes the person a member and the revocation 409, or does not', async () => {
    for (let round = 0; round < RACE_ROUNDS; round += 1) {
      const owner = await signIn(app);
      const email = freshEmail();
      const { body: invitation } = await invite(owner, email);
      const [revoked, invited] = await Promise.all([
        as(owner, 'DELETE', `/v1/account/team/invitations/${invitation.id}`),
        signIn(app, email),
      ]);
      const { workspaces } = (await as(invited, 'GET', '/v1/account/workspaces')).body;
      expect([revoked.status, workspaces.length]).toEqual(revoked.status === 200 ? [200, 1] : [409, 2]);
    }
  });
});

describe('roles and removal', () => {
  test('PATCH returns the member and whether anything changed; it takes effect with the next request', async () => {
    const owner = await signIn(app);
    const member = await join(owner, 'viewer');
    const url = `/v1/account/team/members/${member.userId}`;
    const promoted = await as(owner, 'PATCH', url, { role: 'admin' });
    expect(promoted.body).toEqual({
      member: { user_id: member.userId, email: member.email, name: null, role: 'admin', status: 'active' },
      updated: true,
    });
    expect((await as(owner, 'PATCH', url, { role: 'admin' })).body.updated).toBe(false);
    expect((await as(member, 'GET', '/v1/api-keys')).status).toBe(200);
    await as(owner, 'PATCH', url, { role: 'member' });
    expect((await as(member, 'GET', '/v1/api-keys')).status).toBe(403);
  });

  test('409 when the owner is demoted, is removed or leaves; 422 when a member is made owner', async () => {
    const owner = await signIn(app);
    const admin = await join(owner, 'admin');
    const ownerUrl = `/v1/account/team/members/${owner.userId}`;
    for (const answer of [
      await as(admin, 'PATCH', ownerUrl, { role: 'viewer' }),
      await as(admin, 'DELETE', ownerUrl),
      await as(owner, 'DELETE', ownerUrl),
      await as(owner, 'PATCH', ownerUrl, { role: 'admin' }),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([409, 'owner_required']);
    }
    expect(
      (await as(admin, 'PATCH', `/v1/account/team/members/${admin.userId}`, { role: 'owner' })).status,
    ).toBe(422);
    expect(await ownersOf(owner.workspaceId)).toEqual([owner.userId]);
  });

  test('a viewer may leave but not remove others; leaving takes effect at once', async () => {
    const owner = await signIn(app);
    const viewer = await join(owner, 'viewer');
    const other = await join(owner, 'member');
    const refused = await as(viewer, 'DELETE', `/v1/account/team/members/${other.userId}`);
    expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_role']);
    const left = await as(viewer, 'DELETE', `/v1/account/team/members/${viewer.userId}`);
    expect([left.status, left.body]).toEqual([200, { removed: true }]);
    const team = await as(viewer, 'GET', '/v1/account/team');
    expect(team.body.members.map(({ user_id }: { user_id: string }) => user_id)).toEqual([viewer.userId]);
    const back = await signIn(app, viewer.email);
    expect(back.workspaceId).toBe(viewer.workspaceId);
    expect((await as(back, 'POST', `/v1/account/workspaces/${owner.workspaceId}/session`)).status).toBe(404);
  });

  test('a removed member can return only by a new invitation, with its role', async () => {
    const owner = await signIn(app);
    const member = await join(owner, 'admin');
    expect((await as(owner, 'DELETE', `/v1/account/team/members/${member.userId}`)).status).toBe(200);
    expect((await as(owner, 'DELETE', `/v1/account/team/members/${member.userId}`)).status).toBe(404);
    expect((await invite(owner, member.email, 'viewer')).status).toBe(201);
    const back = await signIn(app, member.email);
    const { body } = await as(back, 'POST', `/v1/account/workspaces/${owner.workspaceId}/session`);
    expect(body.workspace_role).toBe('viewer');
    const membership = 'select status, removed_at from memberships where workspace_id = $1 and user_id = $2';
    expect(await db.one(membership, [owner.workspaceId, member.userId])).toEqual({
      status: 'active',
      removed_at: null,
    });
  });

  test('each change is in the audit log of the workspace', async () => {
    const owner = await signIn(app);
    const [first, second] = [await join(owner, 'viewer'), await join(owner, 'member')];
    const url = `/v1/account/team/members/${first.userId}`;
    await as(owner, 'PATCH', url, { role: 'admin' });
    await as(first, 'POST', '/v1/api-keys', { name: 'theirs', scopes: ['analyses:read'] });
    await as(owner, 'DELETE', url);
    await as(owner, 'POST', `/v1/account/team/members/${second.userId}/transfer-ownership`);
    const events = await db.query(
      `select action, target_id, metadata from audit_events where workspace_id = $1
         and action in ('member.update_role', 'member.remove', 'session.switch_workspace', 'workspace.transfer_ownership')
       order by id`,
      [owner.workspaceId],
    );
    const switched = { action: 'session.switch_workspace', target_id: expect.stringMatching(/^ses_/) };
    const [ofFirst, ofSecond] = [{ target_id: first.userId }, { target_id: second.userId }];
    expect(events).toEqual([
      { ...switched, metadata: { from: first.workspaceId } },
      { ...switched, metadata: { from: second.workspaceId } },
      { ...ofFirst, action: 'member.update_role', metadata: { from: 'viewer', to: 'admin' } },
      { ...ofFirst, action: 'member.remove', metadata: { role: 'admin', revoked_keys: 1 } },
      {
        ...ofSecond,
        action: 'workspace.transfer_ownership',
        metadata: { from: owner.userId, to: second.userId },
      },
    ]);
  });

  test('a demotion limits the keys of a member to the new role; a removal revokes them', async () => {
    const owner = await signIn(app);
    const admin = await join(owner, 'admin');
    const scopes = ['analyses:read', 'webhooks:write'];
    const { body: key } = await as(admin, 'POST', '/v1/api-keys', { name: 'theirs', scopes });
    const headers = { 'x-api-key': key.plaintext_key };
    const read = () => app.call('GET', '/v1/analyses', { headers });
    const write = () => app.call('POST', '/v1/webhook-deliveries/deliver', { headers });
    expect([(await read()).status, (await write()).status]).toEqual([200, 200]);
    await as(owner, 'PATCH', `/v1/account/team/members/${admin.userId}`, { role: 'viewer' });
    expect([(await read()).status, (await write()).status]).toEqual([200, 403]);
    await as(owner, 'DELETE', `/v1/account/team/members/${admin.userId}`);
    expect([(await read()).status, (await write()).status]).toEqual([401, 401]);
  });
});

describe('ownership', () => {
  test('200 with both members; the previous owner becomes admin and may leave', async () => {
    const owner = await signIn(app);
    const member = await join(owner, 'member');
    const { status, body } = await as(
      owner,
      'POST',
      `/v1/account/team/members/${member.userId}/transfer-ownership`,
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({
      owner: { user_id: member.userId, role: 'owner', status: 'active' },
      previous_owner: { user_id: owner.userId, role: 'admin', status: 'active' },
      transferred: true,
    });
    const left = await as(owner, 'DELETE', `/v1/account/team/members/${owner.userId}`);
    expect(left.status).toBe(200);
    expect(await ownersOf(owner.workspaceId)).toEqual([member.userId]);
  });

  test('409 for a transfer to oneself, 404 for one to a stranger, 403 for one by an admin', async () => {
    const owner = await signIn(app);
    const admin = await join(owner, 'admin');
    const stranger = await signIn(app);
    const transfer = (from: SignedIn, to: string) =>
      as(from, 'POST', `/v1/account/team/members/${to}/transfer-ownership`);
    expect((await transfer(owner, owner.userId)).status).toBe(409);
    expect((await transfer(owner, stranger.userId)).status).toBe(404);
    expect((await transfer(admin, admin.userId)).status).toBe(403);
  });

  test('concurrent transfers, demotions and removals leave exactly one owner', async () => {
    for (let round = 0; round < RACE_ROUNDS; round += 1) {
      const owner = await signIn(app);
      const first = await join(owner, 'admin');
      const second = await join(owner, 'admin');
      const member = (id: string) => `/v1/account/team/members/${id}`;
      const answers = await Promise.all([
        ...Array.from({ length: 5 }, () => as(owner, 'POST', `${member(first.userId)}/transfer-ownership`)),
        ...Array.from({ length: 5 }, () => as(owner, 'POST', `${member(second.userId)}/transfer-ownership`)),
        as(first, 'DELETE', member(first.userId)),
        as(second, 'PATCH', member(first.userId), { role: 'viewer' }),
        as(owner, 'DELETE', member(second.userId)),
      ]);
      for (const { status } of answers) expect([200, 401, 403, 404, 409]).toContain(status);
      expect(answers.slice(0, 10).filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
      expect(await ownersOf(owner.workspaceId)).toHaveLength(1);
    }
  });
});

describe('workspaces', () => {
  test('the list marks the current workspace; switching moves only this session', async () => {
    const owner = await signIn(app);
    const member = await join(owner, 'member');
    const elsewhere = await signIn(app, member.email);
    const { body } = await as(member, 'GET', '/v1/account/workspaces');
    const fields = { workspace_name: expect.any(String), retention_days: null, retain_source: 'as_asked' };
    expect(body.workspaces).toEqual([
      { ...fields, workspace_id: member.workspaceId, role: 'owner', current: false },
      { ...fields, workspace_id: owner.workspaceId, role: 'member', current: true },
    ]);
    await as(member, 'POST', `/v1/account/workspaces/${member.workspaceId}/session`);
    expect((await as(member, 'GET', '/v1/auth/session')).body.workspace_id).toBe(member.workspaceId);
    expect((await as(elsewhere, 'GET', '/v1/auth/session')).body.workspace_id).toBe(owner.workspaceId);
  });

  test('404 for a switch to a workspace from which the person is just being removed; their session stays', async () => {
    const owner = await signIn(app);
    const member = await join(owner, 'member');
    const switchTo = (workspaceId: string) =>
      as(member, 'POST', `/v1/account/workspaces/${workspaceId}/session`);
    await switchTo(member.workspaceId);
    const switched = await duringRemoval(owner, member, () => switchTo(owner.workspaceId));
    expect(switched.status).toBe(404);
    const session = await as(member, 'GET', '/v1/auth/session');
    expect([session.status, session.body.workspace_id]).toEqual([200, member.workspaceId]);
  });

  test('a sign-in while the person is being removed from the last workspace opens their own', async () => {
    const owner = await signIn(app);
    const member = await join(owner, 'member');
    const { workspaceId } = await duringRemoval(owner, member, () => signIn(app, member.email));
    expect(workspaceId).toBe(member.workspaceId);
  });

  test('a sign-in, long after the last, while the person is being removed from the only workspace opens a new one', async () => {
    const owner = await signIn(app);
    const member = await join(owner, 'member');
    await db.transaction((tx) => removeByHand(tx, member.workspaceId, member.userId));
    // As sign-in/expiry.ts does with old sessions.
    await db.query('delete from sessions where user_id = $1', [member.userId]);
    const { workspaceId } = await duringRemoval(owner, member, () => signIn(app, member.email));
    expect([owner.workspaceId, member.workspaceId]).not.toContain(workspaceId);
  });

  test('switching to a foreign workspace is 404, with the same body as for an unknown one', async () => {
    const person = await signIn(app);
    const other = await signIn(app);
    const foreign = await as(person, 'POST', `/v1/account/workspaces/${other.workspaceId}/session`);
    const random = await as(person, 'POST', '/v1/account/workspaces/ws_00000000000000000000000000/session');
    expect(foreign.status).toBe(404);
    expect({ ...foreign.body, request_id: '' }).toEqual({ ...random.body, request_id: '' });
  });
});

describe('a removed member', () => {
  test('cannot use their old key again after a new invitation', async () => {
    const owner = await signIn(app);
    const admin = await join(owner, 'admin');
    const made = await as(admin, 'POST', '/v1/api-keys', { name: 'old', scopes: ['usage:read'] });
    const headers = { 'x-api-key': made.body.plaintext_key };
    expect((await app.call('GET', '/v1/usage', { headers })).status).toBe(200);
    await as(owner, 'DELETE', `/v1/account/team/members/${admin.userId}`);
    expect((await app.call('GET', '/v1/usage', { headers })).status).toBe(401);
    expect((await invite(owner, admin.email, 'admin')).status).toBe(201);
    await signIn(app, admin.email);
    expect((await app.call('GET', '/v1/usage', { headers })).status).toBe(401);
    const keys = await as(owner, 'GET', '/v1/api-keys');
    expect(keys.body).toEqual([expect.objectContaining({ name: 'old', revoked_at: expect.any(String) })]);
  });

  test('keeps their session, which moves to their own workspace', async () => {
    const owner = await signIn(app);
    const member = await join(owner, 'member');
    await as(owner, 'DELETE', `/v1/account/team/members/${member.userId}`);
    const session = await as(member, 'GET', '/v1/auth/session');
    expect([session.status, session.body.workspace_id]).toEqual([200, member.workspaceId]);
    expect((await as(member, 'GET', '/v1/analyses')).status).toBe(200);
    const back = await as(member, 'POST', `/v1/account/workspaces/${owner.workspaceId}/session`);
    expect(back.status).toBe(404);
  });

  test('of a deleted workspace keeps their session, while its owner, who has no other workspace, is signed out', async () => {
    const owner = await signIn(app);
    const member = await join(owner, 'member');
    const profile = await as(owner, 'GET', '/v1/account/profile');
    const confirm = encodeURIComponent(profile.body.workspace_name);
    const deleted = await as(
      owner,
      'DELETE',
      `/v1/account/workspaces/${owner.workspaceId}?confirm=${confirm}`,
    );
    expect(deleted.status).toBe(202);
    const session = await as(member, 'GET', '/v1/auth/session');
    expect([session.status, session.body.workspace_id]).toEqual([200, member.workspaceId]);
    expect((await as(owner, 'GET', '/v1/auth/session')).status).toBe(401);
  });
});
