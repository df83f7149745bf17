import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminConnection, createTestDatabase } from '../test/database.ts';
import { buildTestContext } from '../test/dependencies.ts';
import { createTestMember } from '../test/member.ts';
import { newId } from './ids.ts';
import { createLogger } from './log.ts';
import { migrate } from './migrate.ts';
import { type Database, openDatabase } from './postgres.ts';
import { prepared } from './prepared.ts';

/**
 * Row security as the second wall: what the view of a request can see and change when a statement forgets to name its workspace. Tested
 * as a superuser, which DATABASE_URL may name, and as plain owner of the database, as in the embedded server.
 */

const { db: asOwner } = await createTestDatabase();
const asSuperuser = await openAsSuperuser();
afterAll(() => asSuperuser.drop());

/** All tables, and whether row security is enabled and forced. */
function listTables(db: Database) {
  return db.query<{ name: string; walled: boolean; has_workspace: boolean }>(
    `select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as walled,
       exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'workspace_id') as has_workspace
     from pg_class c where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace order by 1`,
  );
}

/** Tables without rows of workspaces: users and their sign-in, queue, counters, mail. */
const SHARED_TABLES = [
  'email_verifications',
  'erased_workspaces',
  'job_schedules',
  'job_turns',
  'jobs',
  'mail_outbox',
  'rate_limit_counters',
  'schema_migrations',
  'sign_in_challenges',
  'storage_object_sweep',
  'users',
];

/** The number of tables that fillWorkspace puts rows into, itself or through createTestMember. */
const FILLED_TABLES = 24;

/** Inserts rows into FILLED_TABLES of the tables with row security; the policies of all are compared by a separate test. */
async function fillWorkspace(db: Database): Promise<string> {
  const ctx = await buildTestContext(db);
  const { workspaceId, userId } = (await createTestMember(ctx)).actor;
  const ids = { job: newId('job'), obj: newId('obj'), whe: newId('whe'), whd: newId('whd') };
  await db.transaction(async (tx) => {
    const insert = (sql: string, ...params: unknown[]) => tx.query(`insert into ${sql}`, params);
    await insert(
      `invitations (id, workspace_id, email, role, expires_at) values ($1, $2, 'a@example.com', 'viewer', now())`,
      newId('inv'),
      workspaceId,
    );
    await insert(
      `sessions (id, user_id, workspace_id, token_hash, expires_at) values ($1, $2, $3, $1, now())`,
      newId('ses'),
      userId,
      workspaceId,
    );
    await insert(
      `api_keys (id, workspace_id, created_by, name, prefix, key_hash, scopes) values ($1, $2, $3, 'k', 'p', $1, '{}')`,
      newId('key'),
      workspaceId,
      userId,
    );
    await insert(
      `audit_events (id, workspace_id, actor_kind, action, target_type, target_id) values ($1, $2, 'system', 'a.b', 't', 'i')`,
      newId('aud'),
      workspaceId,
    );
    await insert(
      `storage_objects (id, workspace_id, bucket, key, purpose, content_type, status, byte_size_max)
         values ($1, $2, 'local', $1, 'upload', 'audio/wav', 'stored', 1)`,
      ids.obj,
      workspaceId,
    );
    await insert(
      `analyses (id, workspace_id, surface, source_kind, storage_object_id, created_by_kind)
         values ($1, $2, 'key', 'object', $3, 'user')`,
      ids.job,
      workspaceId,
      ids.obj,
    );
    await insert(
      `analysis_results (analysis_id, schema_version, engine_version, summary, groups, visuals)
         values ($1, '1', '1', '{}', '{}', '')`,
      ids.job,
    );
    await insert(
      `analysis_events (id, analysis_id, event_type, message) values ($1, $2, 'job.queued', 'm')`,
      newId('evt'),
      ids.job,
    );
    await insert(
      `idempotency_keys (workspace_id, scope, key, request_hash, status_code, response, expires_at)
         values ($1, 's', 'k', 'h', 200, '{}', now())`,
      workspaceId,
    );
    await insert(
      `webhook_endpoints (id, workspace_id, url, signing_secret) values ($1, $2, 'u', 's')`,
      ids.whe,
      workspaceId,
    );
    await insert(`workspace_webhook_secrets (workspace_id, signing_secret) values ($1, 's')`, workspaceId);
    await insert(
      `webhook_deliveries (id, workspace_id, endpoint_id, url, event_type, body) values ($1, $2, $3, 'u', 't', 'b')`,
      ids.whd,
      workspaceId,
      ids.whe,
    );
    await insert(
      `webhook_attempts (id, delivery_id, attempt, url, status, duration_ms) values ($1, $2, 1, 'u', 'failed', 1)`,
      newId('att'),
      ids.whd,
    );
    await insert(`credit_balances (workspace_id, period, granted) values ($1, '2026-01', 100)`, workspaceId);
    await insert(
      `credit_ledger (id, workspace_id, period, entry, amount, reason) values ($1, $2, '2026-01', 'grant', 100, 'plan')`,
      newId('led'),
      workspaceId,
    );
    await insert(`billing_subscriptions (workspace_id, id) values ($1, 'sub_1')`, workspaceId);
    await insert(
      `payment_events (id, workspace_id, event_type, payload, outcome) values ($1, $2, 'invoice.paid', '{}', 'applied')`,
      newId('evt'),
      workspaceId,
    );
    await insert(
      `plan_changes (id, workspace_id, subscription_id, plan, amount_due, currency, prorated_at, success_url, cancel_url, expires_at)
       values ($1, $2, 'sub_1', 'pro', 1, 'usd', now(), 'u', 'u', now())`,
      newId('pay'),
      workspaceId,
    );
    await insert(
      `sandbox_sessions (id, workspace_id, kind, expires_at) values ($1, $2, 'portal', now())`,
      newId('pay'),
      workspaceId,
    );
    await insert(
      `meter_reports (analysis_id, workspace_id, period) values ($1, $2, '2026-01')`,
      ids.job,
      workspaceId,
    );
    await insert(
      `enrichment_uses (analysis_id, provider, workspace_id, period, outcome) values ($1, 'acoustid', $2, '2026-01', 'matched')`,
      ids.job,
      workspaceId,
    );
  });
  return workspaceId;
}

/** A separate database, migrated by a superuser. */
async function openAsSuperuser(): Promise<{ db: Database; drop(): Promise<void> }> {
  const name = `super_${randomBytes(6).toString('hex')}`;
  const log = createLogger({ level: 'error' });
  const server = openDatabase({ connection: adminConnection('postgres'), log, connectionsMax: 1 });
  await server.query(`create database ${name}`);
  const db = openDatabase({ connection: adminConnection(name), log });
  await migrate(db);
  return {
    db,
    async drop() {
      await db.close();
      await server.query(`drop database ${name} with (force)`);
      await server.close();
    },
  };
}

describe.each([
  ['a superuser', asSuperuser.db],
  ['the plain owner of the database', asOwner],
])('as %s', (_, db) => {
  let mine = '';
  let foreign = '';
  let tables: string[] = [];
  beforeAll(async () => {
    [mine, foreign] = [await fillWorkspace(db), await fillWorkspace(db)];
    tables = (await listTables(db)).filter(({ walled }) => walled).map(({ name }) => name);
  });
  const count = async (view: Database, table: string) =>
    (await view.one<{ count: number }>(`select count(*)::int as count from ${table}`)).count;

  it('every table has row security or is known to be shared', async () => {
    const all = await listTables(db);
    expect(all.filter(({ walled }) => !walled).map(({ name }) => name)).toEqual(SHARED_TABLES);
    expect(all.filter(({ has_workspace, walled }) => has_workspace && !walled)).toEqual([]);
  });

  it('every table with a workspace_id has a policy that compares it', async () => {
    const policies = await db.query<{ name: string; condition: string }>(
      `select tablename as name, qual as condition from pg_policies where policyname = 'tenant_wall' order by 1`,
    );
    expect(policies.map(({ name }) => name)).toEqual(tables);
    const withWorkspace = new Set(
      (await listTables(db)).filter(({ has_workspace }) => has_workspace).map(({ name }) => name),
    );
    for (const { name, condition } of policies.filter((policy) => withWorkspace.has(policy.name)))
      expect(condition, name).toMatch(/workspace_id = \( SELECT current_tenant\(\)/);
  });

  it('a query without a filter sees only rows of its own workspace, in every table with rows', async () => {
    const view = db.forTenant(mine);
    let filled = 0;
    for (const table of tables) {
      const [own, whole] = [await count(view, table), await count(db, table)];
      expect([table, whole]).toEqual([table, 2 * own]);
      filled += Number(own > 0);
    }
    expect(filled).toBe(FILLED_TABLES);
    expect(await view.query('select distinct workspace_id from analyses')).toEqual([{ workspace_id: mine }]);
  });

  it('an unknown workspace, and no workspace at all, see nothing', async () => {
    for (const table of tables)
      expect([table, await count(db.forTenant('ws_none'), table)]).toEqual([table, 0]);
    await db.forTenant(mine).transaction(async (tx) => {
      await tx.query(`set local earshot.tenant = ''`);
      for (const table of tables) {
        expect([table, await tx.query(`select 1 from ${table}`)]).toEqual([table, []]);
      }
    });
  });

  it('changes without a filter leave other workspaces unchanged', async () => {
    const view = db.forTenant(mine);
    const renamed = await view.query(`update workspaces set name = 'mine now' returning id`);
    expect(renamed).toEqual([{ id: mine }]);
    await view.query('delete from audit_events');
    expect(await count(db.forTenant(foreign), 'audit_events')).toBe(1);
    const smuggled = view.query(
      `insert into audit_events (id, workspace_id, actor_kind, action, target_type, target_id)
       values ($1, $2, 'system', 'a.b', 't', 'i')`,
      [newId('aud'), foreign],
    );
    await expect(smuggled).rejects.toThrow(/row-level security/);
    const moved = view.query('update analyses set workspace_id = $1', [foreign]);
    await expect(moved).rejects.toThrow(/row-level security/);
  });

  it('a failed statement changes nothing and leaves the connection usable; an id cannot inject into the opening', async () => {
    const view = db.forTenant(mine);
    const names = () => db.query('select name from workspaces order by id');
    const before = await names();
    await expect(
      view.query(`update workspaces set name = 'x' where 1 / (length(name) - length(name)) = 1`),
    ).rejects.toThrow('division by zero');
    expect(await names()).toEqual(before);
    expect(() => db.forTenant("ws_'; drop")).toThrow('Not the id of a workspace');
    expect(() => db.forTenant('ws_\0')).toThrow('Not the id of a workspace');
    expect(await count(view, 'workspaces')).toBe(1);
  });

  it('a batch sees only its workspace, and is rolled back as a whole', async () => {
    const view = db.forTenant(mine);
    const [ids, doubled] = await view.batch([
      ['select id from workspaces', []],
      ['select 2 * $1::int as doubled', [21]],
    ]);
    expect([ids, doubled]).toEqual([[{ id: mine }], [{ doubled: 42 }]]);
    const before = await db.query('select name from workspaces order by id');
    const half = view.batch([
      [`update workspaces set name = 'x'`, []],
      ['select 1 / $1::int', [0]],
    ]);
    await expect(half).rejects.toThrow('division by zero');
    expect(await db.query('select name from workspaces order by id')).toEqual(before);
    expect(await count(view, 'workspaces')).toBe(1);
    expect(await db.batch([['select count(*)::int as count from workspaces', []]])).toEqual([[{ count: 2 }]]);
  });

  it('a prepared statement sees only what its caller may see, whichever caller used the connection before', async () => {
    const sql = prepared('select id from workspaces order by id');
    const all = [mine, foreign].toSorted();
    // More rounds than the pool has connections, so that callers use those of each other.
    for (let round = 0; round < 12; round += 1) {
      const answers = await Promise.all([
        db.forTenant(mine).query<{ id: string }>(sql),
        db.query<{ id: string }>(sql),
        db.forTenant(foreign).transaction((tx) => tx.query<{ id: string }>(sql)),
      ]);
      expect(answers.map((rows) => rows.map(({ id }) => id))).toEqual([[mine], all, [foreign]]);
    }
  });

  it('a connection returned by a request sees all workspaces again', async () => {
    const view = db.forTenant(mine);
    // Three times as many queries as the pool has connections.
    await Promise.all(Array.from({ length: 30 }, () => view.query('select 1')));
    await view.transaction(async () => Promise.reject(new Error('rolled back'))).catch(() => {});
    const seen = await Promise.all(Array.from({ length: 30 }, () => count(db, 'workspaces')));
    expect(new Set(seen)).toEqual(new Set([2]));
  });

  it('raise_tenant_wall adds row security to a table of a later migration', async () => {
    await db.query('create table later_things (workspace_id text not null, thing text)');
    await db.query('select raise_tenant_wall()');
    await db.query(`insert into later_things values ($1, 'a'), ($2, 'b')`, [mine, foreign]);
    expect(await db.forTenant(mine).query('select thing from later_things')).toEqual([{ thing: 'a' }]);
    await db.query('drop table later_things');
  });
});
