import { beforeAll, describe, expect, it } from 'vitest';
import { listEvents } from './analyses/events.ts';
import * as retention from './analyses/retention-store.ts';
import * as analyses from './analyses/store.ts';
import { listAuditEventsOfWorkspace } from './audit/store.ts';
import { deleteExpiredRows } from './expired-rows.ts';
import { enqueue } from './jobs/queue.ts';
import * as jobs from './jobs/store.ts';
import { newId } from './platform/ids.ts';
import type { Transaction } from './platform/postgres.ts';
import { DAY_MS } from './platform/time-units.ts';
import * as objects from './storage-objects/store.ts';
import { createTestDatabase } from './test/database.ts';
import { countChargedAnalyses } from './usage/store.ts';
import * as deliveries from './webhooks/delivery-store.ts';

/**
 * Frequent queries must not become slower as tables grow: none may scan a large one. PostgreSQL counts the rows that scans read, so
 * the real functions are tested. deploy/scale-out/million.sql measures times with a million rows.
 */
const ROW_COUNT = 20_000;
const WORKSPACE_COUNT = 20;
/** Round numbers, small beside ROW_COUNT. */
const PAGE_ROWS = 50;
const BATCH_ROWS = 200;
/** Any time: no plan depends on it. */
const LEASE_MS = 15_000;

const { db } = await createTestDatabase();
const now = new Date();
/** The counters of our connection do not include rows read by parallel workers. */
const NO_PARALLEL_WORKERS = 'set local max_parallel_workers_per_gather = 0';
/** Before every row of the test, and longer ago than anything is kept. */
const longAgo = new Date(now.getTime() - 400 * DAY_MS);

beforeAll(async () => {
  // Every statement gets both counts, so those that need only one mention the other in a condition that holds.
  const fill = [
    `insert into workspaces (id, name) select 'ws_' || n, 'w' from generate_series(0, $2::int - 1) n
     where $1::int > 0`,
    `insert into storage_objects (id, workspace_id, bucket, key, purpose, content_type, status, byte_size_max, stored_at)
     select 'obj_' || n, 'ws_' || n % $2::int, 'b', 'k' || n, 'upload', 'audio/wav', 'deleted', 1, now()
     from generate_series(1, $1::int) n`,
    `insert into analyses (id, workspace_id, surface, status, source_kind, storage_object_id, created_by_kind, completed_at)
     select 'job_' || n, 'ws_' || n % $2::int, 'key', 'completed', 'object', 'obj_' || n, 'api_key', now()
     from generate_series(1, $1::int) n`,
    `insert into analysis_events (id, analysis_id, event_type, message)
     select 'evt_' || n, 'job_' || n, 'job.completed', 'x' from generate_series(1, $1::int) n where $2::int > 0`,
    `insert into webhook_deliveries (id, workspace_id, analysis_id, url, event_type, body, status)
     select 'whd_' || n, 'ws_' || n % $2::int, 'job_' || n, 'u', 'e', '{}', 'delivered' from generate_series(1, $1::int) n`,
    `insert into webhook_attempts (id, delivery_id, attempt, url, status, duration_ms)
     select 'att_' || n, 'whd_' || n, 1, 'u', 'delivered', 1 from generate_series(1, $1::int) n where $2::int > 0`,
    `insert into credit_ledger (id, workspace_id, period, entry, amount, analysis_id, reason)
     select 'led_' || n, 'ws_' || n % $2::int, '2026-01', 'charge', -1, 'job_' || n, 'r' from generate_series(1, $1::int) n`,
    `insert into audit_events (id, workspace_id, actor_kind, action, target_type, target_id)
     select 'aud_' || n, 'ws_' || n % $2::int, 'system', 'a', 't', 'x' from generate_series(1, $1::int) n`,
    `insert into idempotency_keys (workspace_id, scope, key, request_hash, status_code, response, expires_at)
     select 'ws_' || n % $2::int, 's', 'k' || n, 'h', 200, '{}', now() + interval '1 day' from generate_series(1, $1::int) n`,
    `insert into jobs (kind, tenant, payload, state, turn, attempts_max)
     select 'webhook.deliver', 'ws_' || n % $2::int, '{}', 'waiting', 0, 3 from generate_series(1, $1::int) n`,
  ];
  for (const sql of fill) await db.query(sql, [ROW_COUNT, WORKSPACE_COUNT]);
  await db.query(`update workspaces set retention_days = 30 where id in ('ws_1', 'ws_2')`);
  await db.query(`update jobs set run_at = now() + interval '1 hour'`);
  await db.query('analyze');
});

type Question = (tx: Transaction) => Promise<unknown>;
const questions: Record<string, Question> = {
  'a new job': (tx) =>
    enqueue(tx, { kind: 'analysis.run', tenant: 'ws_1', payload: { analysisId: 'job_1' } }),
  'a claim': (tx) => jobs.claimJobs(tx, 'analysis.run', { limit: 2, workerId: 'w', leaseMs: LEASE_MS }),
  'a claim of a kind whose jobs all wait': (tx) =>
    jobs.claimJobs(tx, 'webhook.deliver', { limit: 2, workerId: 'w', leaseMs: LEASE_MS }),
  'a search for dead workers': (tx) => jobs.findExpiredLeases(tx, LEASE_MS),
  'a heartbeat': (tx) => jobs.renewLeases(tx, [{ jobId: 1, claim: 1 }], LEASE_MS),
  'one analysis': (tx) => analyses.findAnalysisOfWorkspace(tx, 'ws_1', 'job_1'),
  'a page of analyses': (tx) => analyses.listAnalysesById(tx, 'ws_1', ['job_1', 'job_21', 'job_41']),
  'the events of an analysis': (tx) => listEvents(tx, 'job_1'),
  'the end of an analysis': (tx) =>
    analyses.markEnded(tx, 'job_1', { status: 'completed', failure: null, now }),
  'the erasure of an analysis': (tx) => analyses.markDeleted(tx, 'job_2', now),
  'analyses past their time': (tx) => retention.listEndedBefore(tx, longAgo, BATCH_ROWS),
  'analyses past the time of their workspace': (tx) => retention.listPastRetention(tx, now, BATCH_ROWS),
  'demos past their time': (tx) => retention.listExpiredDemos(tx, now, BATCH_ROWS),
  'slots past their time': (tx) => objects.listExpiredSlots(tx, now, BATCH_ROWS),
  'unneeded objects': (tx) =>
    objects.listUnneededObjects(tx, { after: '-infinity', upTo: null }, longAgo, BATCH_ROWS),
  'deliveries past their time': (tx) => deliveries.deleteFinishedBefore(tx, longAgo),
  'the deliverable webhooks': (tx) =>
    deliveries.listDeliverable(tx, 'ws_1', { force: false, now, limit: PAGE_ROWS }),
  'unfinished deliveries': (tx) => deliveries.countUnfinished(tx, 'ws_1'),
  'the attempts for an analysis': (tx) =>
    deliveries.listAttemptsOfAnalysis(tx, 'ws_1', 'job_1', { limit: PAGE_ROWS + 1 }),
  'the usage of a month': (tx) => countChargedAnalyses(tx, 'ws_1', '2026-01'),
  'a page of the audit': (tx) =>
    listAuditEventsOfWorkspace(tx, 'ws_1', { limit: PAGE_ROWS, after: newId('aud') }),
  'rows past their time': (tx) => deleteExpiredRows(tx),
};

/**
 * The tables of which `ask` scans at least half. A difference, because the counters of a transaction include work that the connection
 * did in earlier ones and has not reported yet.
 */
async function listScanned(ask: Question): Promise<string[]> {
  return db.transaction(async (tx) => {
    await tx.query(NO_PARALLEL_WORKERS);
    const before = await readCounters(tx);
    await ask(tx);
    const after = await readCounters(tx);
    return [...after]
      .filter(([table, rowsRead]) => rowsRead - (before.get(table) ?? 0) >= ROW_COUNT / 2)
      .map(([table]) => table);
  });
}

async function readCounters(tx: Transaction): Promise<Map<string, number>> {
  const rows = await tx.query<{ table: string; rowsRead: number }>(
    'select relname as "table", seq_tup_read as "rowsRead" from pg_stat_xact_user_tables',
  );
  return new Map(rows.map(({ table, rowsRead }) => [table, rowsRead]));
}

describe(`among ${ROW_COUNT} rows in every table`, () => {
  it.each(Object.entries(questions))('%s scans no large table', async (_name, ask) => {
    expect(await listScanned(ask)).toEqual([]);
  });

  it('a scan is detected', async () => {
    const ask: Question = (tx) => tx.query(`select count(*) from analyses where file_name = 'x'`);
    expect(await listScanned(ask)).toEqual(['analyses']);
  });
});
