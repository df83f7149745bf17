import type { Queryable } from '../platform/postgres.ts';

/**
 * Rows that mean nothing to any rule after their time, over all domains in one list, so that nobody has to look for what
 * is kept how long. What belongs to a customer is not here: its domain decides.
 */
const EXPIRED: readonly { table: string; where: string }[] = [
  { table: 'idempotency_keys', where: 'expires_at < now()' },
  // Limits look back a day at most.
  { table: 'rate_limit_counters', where: `window_start < now() - interval '2 days'` },
  { table: 'sign_in_challenges', where: `created_at < now() - interval '2 days'` },
  { table: 'email_verifications', where: `expires_at < now() - interval '7 days'` },
  { table: 'sessions', where: `coalesce(revoked_at, expires_at) < now() - interval '30 days'` },
  { table: 'plan_changes', where: `expires_at < now() - interval '7 days'` },
  { table: 'sandbox_sessions', where: `expires_at < now() - interval '7 days'` },
];

/** Few enough to hold no lock for long; the next sweep takes the rest. */
const BATCH_ROWS = 2_000;

export async function deleteExpiredRows(db: Queryable): Promise<number> {
  let count = 0;
  for (const { table, where } of EXPIRED) {
    const rows = await db.query(
      `delete from ${table} where ctid = any (array(select ctid from ${table} where ${where} limit ${BATCH_ROWS}))
       returning 1`,
    );
    count += rows.length;
  }
  return count;
}
