import { describe, expect, it } from 'vitest';
import type { Database } from '../platform/postgres.ts';
import { isQueryBlocked } from '../test/blocked-query.ts';
import { createTestDatabase } from '../test/database.ts';
import {
  buildTestApp,
  freshEmail,
  register,
  type SignedIn,
  signIn,
  type TestAnswer,
} from '../test/test-app.ts';
import { until } from '../test/until.ts';
import { eraseDeletedWorkspaces } from './deletion.ts';
import { as as asPerson, fillWorkspace, pathOf } from './test-filled-workspace.ts';

/** Deleting a workspace erases everything in it and nothing else. */
const { db: database } = await createTestDatabase();
/** How often each transaction ran: more than once if it met a deadlock, which `transaction` repeats. */
const runCounts: number[] = [];
const db: Database = {
  ...database,
  async transaction(work) {
    let runCount = 0;
    const result = await database.transaction((tx) => {
      runCount += 1;
      return work(tx);
    });
    runCounts.push(runCount);
    return result;
  },
};
const app = await buildTestApp(db, {}, { ALLOW_PRIVATE_TARGETS: '127.0.0.1/32' });
const fill = (marker: string) => fillWorkspace(app, db, marker);
const as = (person: SignedIn, method: 'GET' | 'POST' | 'DELETE', url: string, body?: unknown) =>
  asPerson(app, person, method, url, body);

/** Deletes the workspace with the required confirmation. */
async function deleteConfirmed(owner: SignedIn): Promise<TestAnswer> {
  const { name } = await db.one<{ name: string }>('select name from workspaces where id = $1', [
    owner.workspaceId,
  ]);
  return as(owner, 'DELETE', pathOf(owner, `?confirm=${encodeURIComponent(name)}`));
}

/** Tables with e-mail addresses that belong to no workspace: codes, limits and unsent mail, all short-lived. */
const SHORT_LIVED = ['mail_outbox', 'rate_limit_counters', 'sign_in_challenges'];

/** The tables in which a row contains the text. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await db.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  );
  const found: string[] = [];
  for (const { name } of tables.filter((table) => !SHORT_LIVED.includes(table.name))) {
    const rows = await db.query(`select 1 from "${name}" t where t::text like $1 limit 1`, [`%${text}%`]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

async function deleteAndErase(owner: SignedIn): Promise<void> {
  const answer = await deleteConfirmed(owner);
  expect(answer).toMatchObject({
    status: 202,
    body: { workspace_id: owner.workspaceId, status: 'deleting' },
  });
  await db.query(`delete from jobs where tenant = $1 and state = 'running'`, [owner.workspaceId]);
  await eraseDeletedWorkspaces(app.deps);
}

describe('the deletion', () => {
  it('erases every row and file of the workspace, and nothing of another', async () => {
    const { owner, key } = await fill('mine-e');
    const { owner: other, key: otherKey } = await fill('theirs-e');
    const before = await tablesWith('theirs-e');
    // Without rows the comparison below could not fail.
    expect(before.length).toBeGreaterThan(10);
    await deleteAndErase(owner);
    expect(await tablesWith('mine-e')).toEqual([]);
    expect(await tablesWith(owner.userId)).toEqual([]);
    // The record of the deletion, with counts, stays. Queued jobs still hold ids of rows that no longer exist.
    expect((await tablesWith(owner.workspaceId)).filter((name) => !name.startsWith('job'))).toEqual([
      'erased_workspaces',
    ]);
    expect(
      await db.one('select analyses, storage_objects from erased_workspaces where id = $1', [
        owner.workspaceId,
      ]),
    ).toEqual({ analyses: 1, storage_objects: 1 });
    expect(await app.deps.storage.stat(key)).toBeNull();
    expect(await tablesWith('theirs-e')).toEqual(before);
    expect(await app.deps.storage.stat(otherKey)).not.toBeNull();
    expect((await as(other, 'GET', '/v1/account/profile')).status).toBe(200);
  });

  it('erases the account of a person who was once a member of another workspace', async () => {
    const { owner } = await fill('mine-once');
    const { owner: other } = await fill('theirs-once');
    const before = await tablesWith('theirs-once');
    await db.query(
      `insert into memberships (workspace_id, user_id, role, status, removed_at) values ($1, $2, 'member', 'removed', now())`,
      [other.workspaceId, owner.userId],
    );
    await deleteAndErase(owner);
    expect(await tablesWith('mine-once')).toEqual([]);
    expect(await tablesWith('theirs-once')).toEqual(before);
  });

  it('ends sessions, keys and shares at once, before anything is erased', async () => {
    const { owner } = await fill('mine-f');
    const key = await as(owner, 'POST', '/v1/api-keys', { name: 'x', scopes: ['analyses:read'] });
    await deleteConfirmed(owner);
    expect((await as(owner, 'GET', '/v1/account/profile')).status).toBe(401);
    const headers = { 'x-api-key': key.body.plaintext_key };
    expect((await app.call('GET', '/v1/analyses', { headers })).status).toBe(401);
    const open = `select count(*) filter (where revoked_at is null) as open_count, count(*) from analysis_shares where workspace_id = $1`;
    expect(await db.one(open, [owner.workspaceId])).toEqual({ open_count: 0, count: 1 });
    // The person can sign in again, and gets an empty workspace.
    const again = await signIn(app, owner.email);
    expect(again.workspaceId).not.toBe(owner.workspaceId);
    await eraseDeletedWorkspaces(app.deps);
    expect((await as(again, 'GET', '/v1/account/profile')).status).toBe(200);
  });

  it('fails webhook deliveries that are waiting or in progress', async () => {
    const { owner, job } = await fill('mine-deliveries');
    await db.query(
      `insert into webhook_deliveries (id, workspace_id, analysis_id, url, event_type, body, status, next_attempt_at)
       values ('whd_in_progress', $1, $2, 'http://127.0.0.1/', 'analysis.completed', '{}', 'delivering', now())`,
      [owner.workspaceId, job],
    );
    await deleteConfirmed(owner);
    const rows = await db.query(
      `select status, next_attempt_at, last_error from webhook_deliveries where workspace_id = $1`,
      [owner.workspaceId],
    );
    const failed = { status: 'failed', next_attempt_at: null, last_error: 'The workspace was deleted' };
    expect(rows).toEqual([failed, failed]);
    await eraseDeletedWorkspaces(app.deps);
  });

  it('is refused without the name of the workspace, and while a plan is paid', async () => {
    const { owner } = await fill('mine-g');
    for (const query of ['', '?confirm=something+else']) {
      expect(await as(owner, 'DELETE', pathOf(owner, query))).toMatchObject({
        status: 409,
        body: { code: 'conflict' },
      });
    }
    await db.query(
      `update billing_accounts set plan = 'pro', subscription_id = 'sub' where workspace_id = $1`,
      [owner.workspaceId],
    );
    const paid = await deleteConfirmed(owner);
    expect(paid).toMatchObject({ status: 409, body: { code: 'subscription_exists' } });
    expect((await as(owner, 'GET', '/v1/account/profile')).status).toBe(200);
  });

  it('is refused while a subscription is past due, for which the provider still tries to charge', async () => {
    const { owner } = await fill('mine-unpaid');
    await db.query(
      `update billing_accounts set plan = 'pro', subscription_id = 'sub_unpaid', status = 'past_due',
         grace_until = now() - interval '1 day' where workspace_id = $1`,
      [owner.workspaceId],
    );
    const unpaid = await deleteConfirmed(owner);
    expect(unpaid).toMatchObject({ status: 409, body: { code: 'subscription_exists' } });
    expect(unpaid.body.detail).toContain('portal');
  });

  it('waits for an event about a new subscription that is being handled', async () => {
    const { owner } = await fill('mine-reported');
    let answer: ReturnType<typeof deleteConfirmed> | null = null;
    await db.transaction(async (tx) => {
      await tx.query(
        `update billing_accounts set plan = 'pro', subscription_id = 'sub' where workspace_id = $1`,
        [owner.workspaceId],
      );
      let answered = false;
      answer = deleteConfirmed(owner);
      void answer.then(() => {
        answered = true;
      });
      await until(async () => answered || (await isQueryBlocked(db)), 'the deletion answers or waits');
    });
    expect(await answer).toMatchObject({ status: 409, body: { code: 'subscription_exists' } });
  });

  it('closes open checkouts, so that they cannot be paid any more', async () => {
    const owner = await signIn(app);
    const checkout = await as(owner, 'POST', '/v1/billing/checkout-sessions', { plan: 'pro' });
    const { status } = await deleteConfirmed(owner);
    const page = await app.call('GET', new URL(checkout.body.url).pathname);
    expect([status, page.status]).toEqual([202, 410]);
  });

  it('is refused to an admin, to a key and to strangers, and so is the export', async () => {
    const { owner } = await fill('mine-h');
    const stranger = await signIn(app);
    const email = freshEmail('admin');
    await as(owner, 'POST', '/v1/account/team/invitations', { email, role: 'admin' });
    const admin = await signIn(app, email);
    await as(admin, 'POST', `/v1/account/workspaces/${owner.workspaceId}/session`);
    const { headers: keyHeaders } = await register(app);
    const attempts = [
      as(admin, 'DELETE', pathOf(owner)),
      as(admin, 'GET', pathOf(owner, '/export')),
      as(stranger, 'DELETE', pathOf(owner)),
      as(stranger, 'GET', pathOf(owner, '/export')),
      app.call('GET', pathOf(owner, '/export'), { headers: keyHeaders }),
    ];
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses).toEqual([403, 403, 404, 404, 403]);
    expect((await as(owner, 'GET', '/v1/account/profile')).status).toBe(200);
  });

  it('erases nothing while a job runs, and keeps the workspace itself while an upload slot is open', async () => {
    const { owner } = await fill('mine-i');
    await as(owner, 'POST', '/v1/storage-objects', { content_type: 'audio/wav', purpose: 'upload' });
    await db.query(
      `insert into jobs (kind, tenant, payload, state, turn, attempts_max) values ('analysis.run', $1, '{}', 'running', 1, 3)`,
      [owner.workspaceId],
    );
    await deleteConfirmed(owner);
    await eraseDeletedWorkspaces(app.deps);
    expect(await tablesWith('mine-i')).toContain('analyses');
    await db.query(`delete from jobs where tenant = $1 and state = 'running'`, [owner.workspaceId]);
    await eraseDeletedWorkspaces(app.deps);
    const kept = await tablesWith('mine-i');
    expect(kept).not.toContain('analyses');
    expect(kept).not.toContain('analysis_results');
    await db.query(`delete from storage_objects where workspace_id = $1 and status = 'pending'`, [
      owner.workspaceId,
    ]);
    await eraseDeletedWorkspaces(app.deps);
    expect(await tablesWith('mine-i')).toEqual([]);
  });

  it('keeps the accounts of members who belong to other workspaces', async () => {
    const { owner } = await fill('mine-j');
    const guest = await signIn(app);
    await as(owner, 'POST', '/v1/account/team/invitations', { email: guest.email, role: 'viewer' });
    await signIn(app, guest.email);
    await deleteAndErase(owner);
    expect((await as(guest, 'GET', '/v1/account/profile')).status).toBe(200);
  });
});

describe('the erasure of a user who signs in again at the same time', () => {
  async function deletedOwner(marker: string): Promise<SignedIn> {
    const { owner } = await fill(marker);
    await deleteConfirmed(owner);
    await db.query(`delete from jobs where tenant = $1 and state = 'running'`, [owner.workspaceId]);
    return owner;
  }
  const usersOf = ({ email }: SignedIn) =>
    db.query<{ id: string }>('select id from users where email = $1', [email]);

  it('keeps the user when the sign-in is first', async () => {
    const owner = await deletedOwner('mine-again');
    let erasing: Promise<number> | null = null;
    await db.transaction(async (tx) => {
      // The first half of a sign-in: a workspace, and the user as its owner.
      await tx.query(`insert into workspaces (id, name) values ('ws_again', 'Again')`);
      await tx.query(
        `insert into memberships (workspace_id, user_id, role) values ('ws_again', $1, 'owner')`,
        [owner.userId],
      );
      erasing = eraseDeletedWorkspaces(app.deps);
      await until(() => isQueryBlocked(db), 'the erasure waits for the sign-in');
    });
    await erasing;
    expect(await db.query('select 1 from workspaces where id = $1', [owner.workspaceId])).toEqual([]);
    expect(await usersOf(owner)).toEqual([{ id: owner.userId }]);
    expect(await db.query(`select 1 from memberships where workspace_id = 'ws_again'`)).toHaveLength(1);
  });

  it('creates a new account when the erasure is first', async () => {
    const owner = await deletedOwner('mine-gone');
    let signingIn: Promise<SignedIn> | undefined;
    await db.transaction(async (tx) => {
      await tx.query('delete from users where id = $1', [owner.userId]);
      signingIn = signIn(app, owner.email);
      await until(() => isQueryBlocked(db), 'the sign-in waits for the erasure');
    });
    const again = await signingIn;
    expect(await usersOf(owner)).toEqual([{ id: again?.userId }]);
    expect(again?.userId).not.toBe(owner.userId);
    await eraseDeletedWorkspaces(app.deps);
    expect(await usersOf(owner)).toHaveLength(1);
  });
});

describe('a deletion while a worker completes an analysis', () => {
  it('waits for it without a deadlock', async () => {
    const { owner, job } = await fill('mine-k');
    await db.query(`update analyses set status = 'processing', completed_at = null where id = $1`, [job]);
    let deleting: ReturnType<typeof deleteConfirmed> | null = null;
    runCounts.length = 0;
    await db.transaction(async (tx) => {
      await tx.query('select 1 from analyses where id = $1 for no key update', [job]);
      deleting = deleteConfirmed(owner);
      await until(() => isQueryBlocked(db), 'the deletion waits for the analysis');
      // Completing an analysis inserts rows that refer to the workspace.
      await tx.query(
        `insert into webhook_deliveries (id, workspace_id, analysis_id, url, event_type, body) values ('whd_k', $1, $2, 'u', 'e', '{}')`,
        [owner.workspaceId, job],
      );
      await tx.query(`update analyses set status = 'completed', completed_at = now() where id = $1`, [job]);
    });
    expect(await deleting).toMatchObject({ status: 202 });
    expect(runCounts).toEqual([1, 1]);
    await eraseDeletedWorkspaces(app.deps);
    expect(await tablesWith('mine-k')).toEqual([]);
  });
});
