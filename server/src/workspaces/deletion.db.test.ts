import { describe, expect, it } from 'vitest';
import { packJson } from '../analyses/packed-json.ts';
import { newId } from '../platform/ids.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestApp, freshEmail, register, type SignedIn, signIn } from '../test/test-app.ts';
import { until } from '../test/until.ts';
import { eraseDeletedWorkspaces } from './deletion.ts';
import { COLUMNS_NOT_EXPORTED, EXPORTED, NOT_EXPORTED } from './export-store.ts';

/** Taking everything along, and leaving nothing behind: both by the owner, both for one workspace alone. */
const { db } = await createTestDatabase();
const app = await buildTestApp(db, {}, { ALLOW_PRIVATE_TARGETS: '127.0.0.1/32' });

const as = (person: SignedIn, method: 'GET' | 'POST' | 'DELETE', url: string, body?: unknown) =>
  app.call(method, url, { headers: person.headers, body });
const pathOf = ({ workspaceId }: SignedIn, rest = '') => `/v1/account/workspaces/${workspaceId}${rest}`;
const isAnybodyWaiting = async () =>
  (
    await db.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  ).length > 0;
const put = async (key: string, text: string) => {
  const source = (async function* () {
    yield Buffer.from(text);
  })();
  await app.deps.storage.put(key, source, { contentType: 'audio/wav', bytesMax: 1_000 });
};

/** A workspace with something in every table that can hold something of it; `marker` is in all of their words. */
async function fill(marker: string) {
  const owner = await signIn(app, freshEmail(marker));
  const { workspaceId, userId } = owner;
  await as(owner, 'POST', '/v1/api-keys', { name: marker, scopes: ['analyses:read'] });
  await as(owner, 'POST', '/v1/account/team/invitations', { email: freshEmail(marker) });
  await as(owner, 'POST', '/v1/webhook-endpoints', { url: `http://127.0.0.1/${marker}` });
  const [job, object] = [newId('job'), newId('obj')];
  const key = `uploads/${object}`;
  await put(key, marker);
  const rows: [string, unknown[]][] = [
    [
      `insert into storage_objects (id, workspace_id, bucket, key, purpose, content_type, status, byte_size_max, file_name, stored_at)
       values ($1, $2, 'local', $3, 'upload', 'audio/wav', 'stored', 9, $4, now())`,
      [object, workspaceId, key, marker],
    ],
    [
      `insert into analyses (id, workspace_id, surface, status, source_kind, storage_object_id, file_name, created_by_kind, created_by, completed_at)
       values ($1, $2, 'workspace', 'completed', 'object', $3, $4, 'user', $5, now())`,
      [job, workspaceId, object, marker, userId],
    ],
    [
      `insert into analysis_results (analysis_id, schema_version, engine_version, summary, packed_groups, visuals)
       values ($1, '1', '1', json_build_object('bpm', 120, 'note', $2::text), $3, '')`,
      [job, marker, packJson({ rhythm: { bpm: 120.02 }, waveform: null })],
    ],
    [
      `insert into analysis_events (id, analysis_id, event_type, message) values ($1, $2, 'job.completed', $3)`,
      [newId('evt'), job, marker],
    ],
    [
      `insert into analysis_corrections (analysis_id, workspace_id, note, corrected_by, updated_at) values ($1, $2, $3, $4, now())`,
      [job, workspaceId, marker, userId],
    ],
    [
      `insert into songs (analysis_id, workspace_id, created_at, note) values ($1, $2, now(), $3)`,
      [job, workspaceId, marker],
    ],
    [
      `insert into song_sounds (analysis_id, workspace_id, embedding_version, embedding) values ($1, $2, 1, '')`,
      [job, workspaceId],
    ],
    [
      `insert into song_terms (workspace_id, term, analysis_id) values ($1, $2, $3)`,
      [workspaceId, `w:${marker}`, job],
    ],
    [
      `insert into collections (id, workspace_id, name, created_by, created_at, updated_at) values ($1, $2, $3, $4, now(), now())`,
      [`col_${marker}`, workspaceId, marker, userId],
    ],
    [
      `insert into collection_items (collection_id, workspace_id, analysis_id, position, added_at) values ($1, $2, $3, 1, now())`,
      [`col_${marker}`, workspaceId, job],
    ],
    [
      `insert into analysis_shares (id, analysis_id, workspace_id, token_hash, created_by, created_at) values ($1, $2, $3, $1, $4, now())`,
      [newId('shr'), job, workspaceId, userId],
    ],
    [
      `insert into webhook_deliveries (id, workspace_id, analysis_id, url, event_type, body) values ($1, $2, $3, $4, 'analysis.completed', '{}')`,
      [`whd_${marker}`, workspaceId, job, `http://${marker}`],
    ],
    [
      `insert into webhook_attempts (id, delivery_id, attempt, url, status, duration_ms) values ($1, $2, 1, 'u', 'failed', 1)`,
      [`wha_${marker}`, `whd_${marker}`],
    ],
    [
      `insert into credit_ledger (id, workspace_id, period, entry, amount, analysis_id, reason) values ($1, $2, '2026-01', 'charge', -1, $3, $4)`,
      [newId('led'), workspaceId, job, marker],
    ],
    [
      `insert into enrichment_uses (analysis_id, provider, workspace_id, period, outcome) values ($1, $2, $3, '2026-01', 'found')`,
      [job, marker, workspaceId],
    ],
    [`update billing_accounts set customer_id = $2 where workspace_id = $1`, [workspaceId, `cus_${marker}`]],
    [
      `insert into payment_events (id, event_type, customer_id, payload, outcome) values ($1, 'customer.updated', $2, '{}', 'applied')`,
      [`evt_${marker}`, `cus_${marker}`],
    ],
  ];
  for (const [sql, values] of rows) await db.query(sql, values);
  return { owner, job, key };
}

async function exportOf(owner: SignedIn): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const { status, headers, text } = await as(owner, 'GET', pathOf(owner, '/export'));
  expect([status, headers['content-type']]).toEqual([200, 'application/x-ndjson']);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** Addresses here are no workspace's: codes, limits and unsent mail, all of them gone after two days (expired-rows.ts). */
const PASSING = ['mail_outbox', 'rate_limit_counters', 'sign_in_challenges'];

/** Every row of every table that mentions the text anywhere, as PostgreSQL itself would print it. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await db.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  );
  const found: string[] = [];
  for (const { name } of tables.filter((table) => !PASSING.includes(table.name))) {
    const rows = await db.query(`select 1 from "${name}" t where t::text like $1 limit 1`, [`%${text}%`]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

async function deleteAndErase(owner: SignedIn): Promise<void> {
  const { name } = await db.one<{ name: string }>('select name from workspaces where id = $1', [
    owner.workspaceId,
  ]);
  const answer = await as(owner, 'DELETE', pathOf(owner, `?confirm=${encodeURIComponent(name)}`));
  expect(answer).toMatchObject({
    status: 202,
    body: { workspace_id: owner.workspaceId, status: 'deleting' },
  });
  await db.query(`delete from jobs where tenant = $1 and state = 'running'`, [owner.workspaceId]);
  await eraseDeletedWorkspaces(app.deps);
}

describe('the export', () => {
  it('has every kind of thing, and nothing of another workspace', async () => {
    const { owner, job } = await fill('mine-a');
    await fill('theirs-a');
    const lines = await exportOf(owner);
    expect(new Set(lines.map(({ type }) => type))).toEqual(
      new Set(['export', ...EXPORTED.map(({ type }) => type), 'end']),
    );
    expect(lines.at(-1)).toEqual({ type: 'end', data: { lines: lines.length - 2 } });
    expect(lines.find(({ type }) => type === 'result')?.data).toMatchObject({
      analysis_id: job,
      summary: { bpm: 120 },
      groups: { rhythm: { bpm: 120.02 }, waveform: null },
    });
    expect(JSON.stringify(lines)).not.toContain('theirs-a');
  });

  it('holds no secret and no hash of one', async () => {
    const { owner } = await fill('mine-b');
    const text = JSON.stringify(await exportOf(owner));
    const secrets = await db.query<{ secret: string }>(
      `select key_hash as secret from api_keys union select token_hash from sessions union select token_hash from analysis_shares
       union select signing_secret from webhook_endpoints union select signing_secret from workspace_webhook_secrets`,
    );
    const known = secrets.filter(({ secret }) => !secret.startsWith('shr_'));
    expect(known.length).toBeGreaterThan(2);
    for (const { secret } of known) expect(text).not.toContain(secret);
  });

  it('goes page by page over more than fits into one', async () => {
    const { owner, job } = await fill('mine-c');
    await db.query(
      `insert into analysis_events (id, analysis_id, event_type, message)
       select 'evt_c' || n, $1, 'analysis.progress', 'x' from generate_series(1, 1100) n`,
      [job],
    );
    const events = (await exportOf(owner)).filter(({ type }) => type === 'event');
    expect(new Set(events.map(({ data }) => data.id)).size).toBe(1_101);
  });

  it('leaves a trace in the audit', async () => {
    const { owner } = await fill('mine-under-way');
    await exportOf(owner);
    const { body } = await as(owner, 'GET', '/v1/audit-events');
    expect(body.map(({ action }: { action: string }) => action)).toContain('workspace.export');
  });

  it('knows every table that holds something of a workspace', async () => {
    const tables = await db.query<{ name: string }>(
      `select distinct table_name as name from information_schema.columns
       where table_schema = 'public' and column_name in ('workspace_id', 'analysis_id', 'delivery_id')
         and table_name not in (select table_name from information_schema.views)`,
    );
    const known = [...EXPORTED.map(({ table }) => table), ...Object.keys(NOT_EXPORTED)];
    expect(tables.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
  });

  it('knows every column of the tables it exports', async () => {
    const namesOf = (table: string, columns: string) =>
      columns.split(',').map((column) => `${table}.${column.trim().replace(/^\w\./, '')}`);
    const known = [
      ...EXPORTED.flatMap(({ table, columns }) => namesOf(table, columns)),
      ...Object.values(COLUMNS_NOT_EXPORTED).flatMap((tables) =>
        Object.entries(tables).flatMap(([table, columns]) => namesOf(table, columns)),
      ),
    ];
    const rows = await db.query<{ name: string }>(
      `select table_name || '.' || column_name as name from information_schema.columns
       where table_schema = 'public' and table_name = any($1) and column_name <> 'workspace_id'`,
      [EXPORTED.map(({ table }) => table)],
    );
    const columns = rows.map(({ name }) => name);
    expect(columns.filter((name) => !known.includes(name))).toEqual([]);
    // The rest of what a member's line has is the person's.
    const ofPerson = ['memberships.email', 'memberships.name'];
    expect(known.filter((name) => !columns.includes(name) && !ofPerson.includes(name))).toEqual([]);
  });
});

describe('the deletion', () => {
  it('erases every row and every byte, and touches no other workspace', async () => {
    const { owner, key } = await fill('mine-e');
    const { owner: other, key: otherKey } = await fill('theirs-e');
    const before = await tablesWith('theirs-e');
    expect(before.length).toBeGreaterThan(10);
    await deleteAndErase(owner);
    expect(await tablesWith('mine-e')).toEqual([]);
    expect(await tablesWith(owner.userId)).toEqual([]);
    // The fact itself stays, with nothing but counts. What the queue still has names ids that lead nowhere.
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

  it('ends sessions and keys at once, before anything is erased', async () => {
    const { owner } = await fill('mine-f');
    const key = await as(owner, 'POST', '/v1/api-keys', { name: 'x', scopes: ['analyses:read'] });
    const { name } = await db.one<{ name: string }>('select name from workspaces where id = $1', [
      owner.workspaceId,
    ]);
    await as(owner, 'DELETE', pathOf(owner, `?confirm=${encodeURIComponent(name)}`));
    expect((await as(owner, 'GET', '/v1/account/profile')).status).toBe(401);
    const headers = { 'x-api-key': key.body.plaintext_key };
    expect((await app.call('GET', '/v1/analyses', { headers })).status).toBe(401);
    // The person may come back, to an empty workspace of their own.
    const again = await signIn(app, owner.email);
    expect(again.workspaceId).not.toBe(owner.workspaceId);
    await eraseDeletedWorkspaces(app.deps);
    expect((await as(again, 'GET', '/v1/account/profile')).status).toBe(200);
  });

  it('ends deliveries that wait and those under way: nothing is sent or recorded after it', async () => {
    const { owner, job } = await fill('mine-deliveries');
    await db.query(
      `insert into webhook_deliveries (id, workspace_id, analysis_id, url, event_type, body, status, next_attempt_at)
       values ('whd_under_way', $1, $2, 'http://127.0.0.1/', 'analysis.completed', '{}', 'delivering', now())`,
      [owner.workspaceId, job],
    );
    const { name } = await db.one<{ name: string }>('select name from workspaces where id = $1', [
      owner.workspaceId,
    ]);
    await as(owner, 'DELETE', pathOf(owner, `?confirm=${encodeURIComponent(name)}`));
    const rows = await db.query(
      `select status, next_attempt_at, last_error from webhook_deliveries where workspace_id = $1`,
      [owner.workspaceId],
    );
    const ended = { status: 'failed', next_attempt_at: null, last_error: 'The workspace was deleted' };
    expect(rows).toEqual([ended, ended]);
    await eraseDeletedWorkspaces(app.deps);
  });

  it('asks for the name, and for the end of a paid plan', async () => {
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
    const { name } = await db.one<{ name: string }>('select name from workspaces where id = $1', [
      owner.workspaceId,
    ]);
    const paid = await as(owner, 'DELETE', pathOf(owner, `?confirm=${encodeURIComponent(name)}`));
    expect(paid).toMatchObject({ status: 409, body: { code: 'subscription_exists' } });
    expect((await as(owner, 'GET', '/v1/account/profile')).status).toBe(200);
  });

  it('asks for the end of a subscription that is no longer paid: its provider goes on charging for it', async () => {
    const { owner } = await fill('mine-unpaid');
    await db.query(
      `update billing_accounts set plan = 'pro', subscription_id = 'sub_unpaid', status = 'past_due',
         grace_until = now() - interval '1 day' where workspace_id = $1`,
      [owner.workspaceId],
    );
    const { name } = await db.one<{ name: string }>('select name from workspaces where id = $1', [
      owner.workspaceId,
    ]);
    const unpaid = await as(owner, 'DELETE', pathOf(owner, `?confirm=${encodeURIComponent(name)}`));
    expect(unpaid).toMatchObject({ status: 409, body: { code: 'subscription_exists' } });
    expect(unpaid.body.detail).toContain('portal');
  });

  it('sees a subscription that its provider is just reporting', async () => {
    const { owner } = await fill('mine-reported');
    const { name } = await db.one<{ name: string }>('select name from workspaces where id = $1', [
      owner.workspaceId,
    ]);
    let answer: ReturnType<typeof as> | undefined;
    await db.transaction(async (tx) => {
      await tx.query(
        `update billing_accounts set plan = 'pro', subscription_id = 'sub' where workspace_id = $1`,
        [owner.workspaceId],
      );
      let answered = false;
      answer = as(owner, 'DELETE', pathOf(owner, `?confirm=${encodeURIComponent(name)}`));
      void answer.then(() => {
        answered = true;
      });
      await until(async () => answered || (await isAnybodyWaiting()), 'the deletion answers or waits');
    });
    expect(await answer).toMatchObject({ status: 409, body: { code: 'subscription_exists' } });
  });

  it('closes the checkout that is open: paid later, it would be charged for nothing', async () => {
    const owner = await signIn(app);
    const checkout = await as(owner, 'POST', '/v1/billing/checkout-sessions', { plan: 'pro' });
    const { name } = await db.one<{ name: string }>('select name from workspaces where id = $1', [
      owner.workspaceId,
    ]);
    const { status } = await as(owner, 'DELETE', pathOf(owner, `?confirm=${encodeURIComponent(name)}`));
    const page = await app.call('GET', new URL(checkout.body.url).pathname);
    expect([status, page.status]).toEqual([202, 410]);
  });

  it('is the owner’s alone: not an admin’s, not a key’s, not that of another workspace', async () => {
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

  it('waits for a worker that has not let go, and for upload addresses that are still open', async () => {
    const { owner } = await fill('mine-i');
    await as(owner, 'POST', '/v1/storage-objects', { content_type: 'audio/wav', purpose: 'upload' });
    await db.query(
      `insert into jobs (kind, tenant, payload, state, turn, attempts_max) values ('analysis.run', $1, '{}', 'running', 1, 3)`,
      [owner.workspaceId],
    );
    const { name } = await db.one<{ name: string }>('select name from workspaces where id = $1', [
      owner.workspaceId,
    ]);
    await as(owner, 'DELETE', pathOf(owner, `?confirm=${encodeURIComponent(name)}`));
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

  it('leaves the accounts of members who belong elsewhere', async () => {
    const { owner } = await fill('mine-j');
    const guest = await signIn(app);
    await as(owner, 'POST', '/v1/account/team/invitations', { email: guest.email, role: 'viewer' });
    await signIn(app, guest.email);
    await deleteAndErase(owner);
    expect((await as(guest, 'GET', '/v1/account/profile')).status).toBe(200);
  });
});

describe('a deletion while a worker ends an analysis', () => {
  it('waits for it, and neither blocks the other for good', async () => {
    const { owner, job } = await fill('mine-k');
    await db.query(`update analyses set status = 'processing', completed_at = null where id = $1`, [job]);
    const { name } = await db.one<{ name: string }>('select name from workspaces where id = $1', [
      owner.workspaceId,
    ]);
    let deleting: ReturnType<typeof as> | null = null;
    await db.transaction(async (tx) => {
      await tx.query('select 1 from analyses where id = $1 for no key update', [job]);
      deleting = as(owner, 'DELETE', pathOf(owner, `?confirm=${encodeURIComponent(name)}`));
      await until(async () => {
        const waiting = await db.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return waiting.length > 0;
      }, 'the deletion waits for the analysis');
      // What the end of an analysis writes: rows that point to the workspace.
      await tx.query(
        `insert into webhook_deliveries (id, workspace_id, analysis_id, url, event_type, body) values ('whd_k', $1, $2, 'u', 'e', '{}')`,
        [owner.workspaceId, job],
      );
      await tx.query(`update analyses set status = 'completed', completed_at = now() where id = $1`, [job]);
    });
    expect(await deleting).toMatchObject({ status: 202 });
    await eraseDeletedWorkspaces(app.deps);
    expect(await tablesWith('mine-k')).toEqual([]);
  });
});
