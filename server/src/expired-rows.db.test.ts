import { expect, it } from 'vitest';
import { deleteExpiredRows } from './expired-rows.ts';
import { createTestDatabase } from './test/database.ts';

const { db } = await createTestDatabase();

it('deletes expired rows of every table, and no others', async () => {
  await db.query(`insert into workspaces (id, name) values ('ws_1', 'One')`);
  await db.query(`insert into users (id, email) values ('usr_1', 'a@example.com')`);
  for (const [name, age] of [
    ['old', '60 days'],
    ['young', '1 minute'],
  ]) {
    const at = `now() - interval '${age}'`;
    await db.query(
      `insert into idempotency_keys (workspace_id, scope, key, request_hash, status_code, response, expires_at)
       values ('ws_1', 's', '${name}', 'h', 202, '{}', ${at} + interval '1 hour')`,
    );
    await db.query(
      `insert into rate_limit_counters (bucket, window_start, count) values ('${name}', ${at}, 1)`,
    );
    await db.query(
      `insert into sign_in_challenges (id, email, code_hash, code_salt, created_at, expires_at)
       values ('${name}', 'a', 'h', 's', ${at}, ${at})`,
    );
    await db.query(
      `insert into email_verifications (token_hash, user_id, expires_at) values ('${name}', 'usr_1', ${at})`,
    );
    await db.query(
      `insert into sessions (id, user_id, workspace_id, token_hash, expires_at)
       values ('${name}', 'usr_1', 'ws_1', '${name}', ${at})`,
    );
  }
  expect(await deleteExpiredRows(db)).toBe(5);
  const left = await db.query<{ id: string }>(
    `select key as id from idempotency_keys union all select bucket from rate_limit_counters
     union all select id from sign_in_challenges union all select token_hash from email_verifications
     union all select id from sessions`,
  );
  expect(left.map(({ id }) => id)).toEqual(Array(5).fill('young'));
  expect(await deleteExpiredRows(db)).toBe(0);
});

it('deletes 2,000 rows of a table at once, and the rest the next time', async () => {
  await db.query(
    `insert into rate_limit_counters (bucket, window_start, count)
     select 'many ' || n, now() - interval '3 days', 1 from generate_series(1, 2001) n`,
  );
  expect([await deleteExpiredRows(db), await deleteExpiredRows(db)]).toEqual([2_000, 1]);
});

it('keeps the counters of a limit of a day', async () => {
  await db.query(
    `insert into rate_limit_counters (bucket, window_start, count) values ('daily', now() - interval '25 hours', 1)`,
  );
  expect(await deleteExpiredRows(db)).toBe(0);
});

it('deletes old payment events, but not the invoices of a workspace', async () => {
  await db.query(`insert into workspaces (id, name) values ('ws_2', 'Two')`);
  const events: [id: string, workspaceId: string | null, eventType: string, age: string][] = [
    ['note', 'ws_2', 'customer.updated', '61 days'],
    ['orphaned note', null, 'customer.updated', '61 days'],
    ['orphaned invoice', null, 'invoice.paid', '61 days'],
    ['invoice', 'ws_2', 'invoice.paid', '9 years'],
    ['failed invoice', 'ws_2', 'invoice.payment_failed', '9 years'],
    ['young note', 'ws_2', 'customer.updated', '59 days'],
    ['young orphaned note', null, 'customer.updated', '59 days'],
  ];
  for (const [id, workspaceId, eventType, age] of events) {
    await db.query(
      `insert into payment_events (id, workspace_id, event_type, payload, outcome, received_at)
       values ($1, $2, $3, '{}', '', now() - $4::interval)`,
      [id, workspaceId, eventType, age],
    );
  }
  expect(await deleteExpiredRows(db)).toBe(3);
  const left = await db.query<{ id: string }>('select id from payment_events order by id');
  expect(left.map(({ id }) => id)).toEqual([
    'failed invoice',
    'invoice',
    'young note',
    'young orphaned note',
  ]);
});
