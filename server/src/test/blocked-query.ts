import type { Queryable } from '../platform/postgres.ts';

/** Whether a statement in the database of this test waits for a lock. */
export async function isQueryBlocked(db: Queryable): Promise<boolean> {
  const waiting = await db.query(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' limit 1`,
  );
  return waiting.length > 0;
}
