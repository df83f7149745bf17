import { beforeAll, describe, expect, it } from 'vitest';
import { listExpiredDemos } from './analyses/retention-store.ts';
import { assignPaymentEvents, deletePaymentEventsOfWorkspace, listInvoiceEvents } from './billing/store.ts';
import { listCollections } from './collections/store.ts';
import { deleteExpiredRows } from './expired-rows.ts';
import { chargeTurns, promoteDueJobs } from './jobs/store.ts';
import { backfillIndex } from './library/backfill.ts';
import { INDEX_VERSION } from './library/song.ts';
import type { Database, Transaction } from './platform/postgres.ts';
import { moveSessionsOut } from './sign-in/session-store.ts';
import { sweepUnneededObjects } from './storage-objects/storage-objects.ts';
import { createTestDatabase, settleStatistics } from './test/database.ts';
import { buildTestContext } from './test/dependencies.ts';
import { createTestMember } from './test/member.ts';
import { countRowsRead } from './test/rows-read.ts';
import { failWaitingDeliveries } from './webhooks/delivery-store.ts';
import { eraseWorkspaceRow, markClosed } from './workspaces/deletion-store.ts';
import { listInvitationsOfWorkspace } from './workspaces/invitation-store.ts';

/** Sweeps and requests of small workspaces must stay cheap while another workspace has this many rows of everything. */
const ROW_COUNT = 12_000;
const PAGE_ROWS = 50;
/** Enough for a page with its checks, and far fewer than the rows of others. */
const FEW_ROWS_MAX = 4 * PAGE_ROWS;

const { db } = await createTestDatabase();
const ctx = await buildTestContext(db);
const { workspaceId } = (await createTestMember(ctx)).actor;
const other = (await createTestMember(ctx)).actor;
const collector = (await createTestMember(ctx)).actor.workspaceId;
const COLLECTION_COUNT = 20;
const SONGS_PER_COLLECTION = 500;
const now = new Date();

beforeAll(async () => {
  const fill = (columns: string, values: string) =>
    db.query(`insert into ${columns} select ${values} from generate_series(1, ${ROW_COUNT}) n`);
  const id = (prefix: string) => `'${prefix}_' || lpad(n::text, 8, '0')`;
  const theirs = `'${other.workspaceId}'`;
  const ago = `now() - interval '3 days'`;
  await fill('users (id, email)', `${id('usr')}, n || '@others.example'`);
  await fill('memberships (workspace_id, user_id, role)', `${theirs}, ${id('usr')}, 'member'`);
  await fill(
    'sessions (id, user_id, workspace_id, token_hash, expires_at)',
    `${id('ses')}, ${id('usr')}, ${theirs}, ${id('hash')}, now() + interval '1 day'`,
  );
  await fill(
    'sign_in_challenges (id, email, code_hash, code_salt, expires_at)',
    `${id('sic')}, n || '@others.example', '', '', now()`,
  );
  await fill(
    'invitations (id, workspace_id, email, role, expires_at)',
    `${id('inv')}, ${theirs}, n || '@others.example', 'member', now()`,
  );
  await fill(
    'storage_objects (id, workspace_id, bucket, key, purpose, content_type, status, byte_size_max, stored_at)',
    `${id('obj')}, ${theirs}, 'b', ${id('key')}, 'upload', 'audio/wav', 'stored', 1, ${ago} + n * interval '1 s'`,
  );
  await fill(
    'analyses (id, workspace_id, surface, status, source_kind, storage_object_id, retain_source, created_by_kind, completed_at)',
    `${id('job')}, ${theirs}, 'workspace', 'completed', 'object', ${id('obj')}, true, 'user', now()`,
  );
  await fill(
    'songs (analysis_id, workspace_id, created_at, duration_seconds, shelf_version)',
    `${id('job')}, ${theirs}, now(), 1, ${INDEX_VERSION}`,
  );
  await fill(
    'analyses (id, surface, status, source_kind, source_url, created_by_kind, demo_expires_at, completed_at, deleted_at)',
    `${id('demo')}, 'demo', 'completed', 'url', '', 'demo', ${ago}, ${ago}, ${ago}`,
  );
  await db.query(
    `insert into webhook_endpoints (id, workspace_id, url, signing_secret, status)
     select 'whe_' || n, case when n < 20 then $1 else $2 end, 'u', 's', case when n = 1 then 'active' else 'deleted' end
     from generate_series(1, 20) n`,
    [workspaceId, other.workspaceId],
  );
  await fill(
    'webhook_deliveries (id, workspace_id, endpoint_id, url, event_type, body, status, next_attempt_at)',
    `${id('whd')}, ${theirs}, 'whe_20', 'u', 'analysis.completed', '{}', 'pending', now()`,
  );
  await fill(
    'payment_events (id, workspace_id, event_type, customer_id, payload, outcome, received_at)',
    `${id('evt')}, ${theirs}, 'invoice.paid', 'cus_' || n, '{"created": 1}', '', now() - interval '1 year'`,
  );
  await fill(
    'jobs (kind, tenant, payload, state, turn, run_at, attempts_max)',
    `'analysis.run', 'hog', '{}', 'queued', n, ${ago}, 3`,
  );
  await fill(
    'jobs (kind, tenant, payload, state, turn, run_at, attempts_max)',
    `'webhook.deliver', 'hog', '{}', 'waiting', 0, now() + interval '1 hour', 3`,
  );
  await db.query(
    `with made as (
       insert into analyses (id, workspace_id, surface, status, source_kind, source_url, created_by_kind)
       select 'own_' || n, $1, 'workspace', 'completed', 'url', 'u', 'user' from generate_series(1, $2::int) n returning id)
     insert into songs (analysis_id, workspace_id, created_at, duration_seconds, shelf_version)
     select id, $1, now(), 1, ${INDEX_VERSION} from made`,
    [collector, SONGS_PER_COLLECTION],
  );
  await db.query(
    `insert into collections (id, workspace_id, name, created_by, created_at, updated_at)
     select 'col_' || n, $1, '', '', now(), now() from generate_series(1, $2::int) n`,
    [collector, COLLECTION_COUNT],
  );
  await db.query(
    `insert into collection_items (collection_id, workspace_id, analysis_id, position, added_at)
     select 'col_' || c, $1, 'own_' || n, n, now() from generate_series(1, $2::int) c, generate_series(1, $3::int) n`,
    [collector, COLLECTION_COUNT, SONGS_PER_COLLECTION],
  );
  await settleStatistics(db);
});

type Work = (db: Database & Transaction) => Promise<unknown>;

describe('a sweep', () => {
  it.each<[string, Work]>([
    ['expired demos, among many deleted ones', (tx) => listExpiredDemos(tx, now, PAGE_ROWS)],
    ['expired rows, among many others', deleteExpiredRows],
    ['due jobs, among many that are not due', promoteDueJobs],
    ['the payment events of one customer', (tx) => assignPaymentEvents(tx, 'cus_7')],
  ])('reads few rows for %s', async (_, work) => {
    expect(await countRowsRead(db, work)).toBeLessThan(FEW_ROWS_MAX);
  });

  it('looks for songs missing from the library only once an hour', async () => {
    await backfillIndex(ctx);
    expect(await countRowsRead(db, (tx) => backfillIndex({ ...ctx, db: tx }))).toBeLessThan(FEW_ROWS_MAX);
  });

  it('examines only some of the kept files, continues there the next time, and reaches all of them', async () => {
    const rows = await countRowsRead(db, (tx) => sweepUnneededObjects({ ...ctx, db: tx }));
    // It reads 5,000 files, each with its analysis, and once more to find where to stop; all of them would be twice as many.
    expect(rows).toBeLessThan(1.5 * ROW_COUNT);
    await db.query(`update analyses set retain_source = false where id in ('job_00000001', 'job_00012000')`);
    let deleted = 0;
    for (let sweep = 0; sweep < 3; sweep += 1) deleted += await sweepUnneededObjects(ctx);
    expect(deleted).toBe(2);
    await db.query(`update analyses set retain_source = false where id = 'job_00000002'`);
    expect(await sweepUnneededObjects(ctx)).toBe(1);
  });
});

describe('a request of a workspace', () => {
  it.each<[string, Work]>([
    ['the waiting deliveries of an endpoint', (tx) => failWaitingDeliveries(tx, 'whe_1', 'Gone')],
    ['its invoices', (tx) => listInvoiceEvents(tx, workspaceId)],
    ['its invitations', (tx) => listInvitationsOfWorkspace(tx, workspaceId, { limit: PAGE_ROWS })],
  ])('reads few rows for %s', async (_, work) => {
    expect(await countRowsRead(db.forTenant(workspaceId), work)).toBeLessThan(FEW_ROWS_MAX);
  });
});

it('reads each item and song of a page of collections once, and none of other workspaces', async () => {
  const rows = await countRowsRead(db.forTenant(collector), (tx) =>
    listCollections(tx, collector, { limit: 100 }),
  );
  expect(rows).toBeLessThan(2 * COLLECTION_COUNT * SONGS_PER_COLLECTION + FEW_ROWS_MAX);
});

describe('closing a workspace', () => {
  it.each<[string, Work]>([
    ['for the sessions in it', (tx) => moveSessionsOut(tx, { userId: null, workspaceId, now })],
    ['for its own rows', (tx) => markClosed(tx, workspaceId, now)],
    ['for its payments', (tx) => deletePaymentEventsOfWorkspace(tx, workspaceId)],
    [
      'for the rows that refer to it',
      async (tx) => {
        await markClosed(tx, workspaceId, now);
        await eraseWorkspaceRow(tx, workspaceId);
      },
    ],
  ])('reads few rows %s', async (_, work) => {
    expect(await countRowsRead(db, work)).toBeLessThan(FEW_ROWS_MAX);
  });
});

it('moves the queued jobs of a tenant only once it owes one turn per thousand of them', async () => {
  const attemptMs = 10_000;
  const job = { kind: 'analysis.run', tenant: 'hog' } as Parameters<typeof chargeTurns>[1];
  const first = () => db.one<{ turn: number }>(`select min(turn) as turn from jobs where state = 'queued'`);
  // The attempt is two turns. None of the 12,000 jobs is moved before twelve turns are owed, that is before the sixth charge.
  expect(await countRowsRead(db, (tx) => chargeTurns(tx, job, attemptMs))).toBeLessThan(ROW_COUNT / 2);
  for (let charge = 1; charge <= 5; charge += 1) await chargeTurns(db, job, attemptMs);
  expect(await first()).toEqual({ turn: 1 });
  await chargeTurns(db, job, attemptMs);
  expect(await first()).toEqual({ turn: 13 });
});
