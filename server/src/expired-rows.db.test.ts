import { expect, it } from 'vitest';
import { deleteExpiredRows } from './expired-rows.ts';
import { createTestDatabase } from './test/database.ts';

const { db } = await createTestDatabase();

await db.query(`insert into workspaces (id, name) values ('ws_1', 'One')`);
await db.query(`insert into users (id, email) values ('usr_1', 'a@example.com')`);

const AT = 'now() - $2::interval';

/** Rows with the name $1 whose time is AT, and how long after it they are kept. The first column holds the name. */
const KEPT: [rows: string, keptFor: string, table: string, columns: string, values: string][] = [
  [
    'answers',
    '0 days',
    'idempotency_keys',
    'key, workspace_id, scope, request_hash, status_code, response, expires_at',
    `$1, 'ws_1', 's', 'h', 202, '{}', ${AT}`,
  ],
  // Longer than the longest window of a limit, a day.
  ['counters', '2 days', 'rate_limit_counters', 'bucket, window_start, count', `$1, ${AT}, 1`],
  [
    'codes',
    '2 days',
    'sign_in_challenges',
    'id, email, code_hash, code_salt, created_at, expires_at',
    `$1, 'a', 'h', 's', ${AT}, now()`,
  ],
  ['verifications', '7 days', 'email_verifications', 'token_hash, user_id, expires_at', `$1, 'usr_1', ${AT}`],
  [
    'expired sessions',
    '30 days',
    'sessions',
    'id, user_id, workspace_id, token_hash, expires_at',
    `$1, 'usr_1', 'ws_1', $1, ${AT}`,
  ],
  [
    'revoked sessions',
    '30 days',
    'sessions',
    'id, user_id, workspace_id, token_hash, expires_at, revoked_at',
    `$1, 'usr_1', 'ws_1', $1, now(), ${AT}`,
  ],
  [
    'sandbox sessions',
    '7 days',
    'sandbox_sessions',
    'id, workspace_id, kind, expires_at',
    `$1, 'ws_1', 'portal', ${AT}`,
  ],
  [
    'quotes',
    '7 days',
    'plan_changes',
    'id, workspace_id, subscription_id, plan, amount_due, currency, prorated_at, success_url, cancel_url, expires_at',
    `$1, 'ws_1', 's', 'pro', 1, 'eur', now(), '', '', ${AT}`,
  ],
];

it.each(KEPT)(
  'deletes %s %s after their time, and not before',
  async (rows, keptFor, table, columns, values) => {
    const [gone, kept] = [`${rows} past it`, `${rows} before it`];
    const insert = `insert into ${table} (${columns}) values (${values})`;
    await db.query(insert, [gone, `${keptFor} 1 hour`]);
    await db.query(insert, [kept, `${keptFor} -1 hour`]);
    expect(await deleteExpiredRows(db)).toBe(1);
    const [name] = columns.split(',');
    const left = await db.query(`select ${name} as name from ${table} where ${name} in ($1, $2)`, [
      gone,
      kept,
    ]);
    expect(left).toEqual([{ name: kept }]);
  },
);

it('deletes 2,000 rows of a table at once, and the rest the next time', async () => {
  await db.query(
    `insert into rate_limit_counters (bucket, window_start, count)
     select 'many ' || n, now() - interval '3 days', 1 from generate_series(1, 2001) n`,
  );
  expect([await deleteExpiredRows(db), await deleteExpiredRows(db)]).toEqual([2_000, 1]);
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
