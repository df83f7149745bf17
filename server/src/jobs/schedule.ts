import type { Queryable } from '../platform/postgres.ts';

/** A failure is retried after an hour, or after the interval if that is shorter. */
const RETRY_SECONDS = 60 * 60;

/**
 * Runs `work` if its last success is at least `intervalSeconds` ago. Without a lock: only the sweep calls it, and one sweep runs at a
 * time.
 */
export async function runIfDue(
  db: Queryable,
  name: string,
  intervalSeconds: number,
  work: () => Promise<number>,
): Promise<number> {
  const recent = await db.maybeOne(
    `select 1 from job_schedules where kind = $1 and abs(extract(epoch from now() - last_tick_at)) < $2`,
    [name, intervalSeconds],
  );
  if (recent !== null) return 0;
  try {
    const count = await work();
    await markTick(db, name, 0);
    return count;
  } catch (error) {
    await markTick(db, name, Math.max(0, intervalSeconds - RETRY_SECONDS));
    throw error;
  }
}

async function markTick(db: Queryable, name: string, secondsAgo: number): Promise<void> {
  await db.query(
    `insert into job_schedules (kind, last_tick_at) values ($1, now() - make_interval(secs => $2))
     on conflict (kind) do update set last_tick_at = excluded.last_tick_at`,
    [name, secondsAgo],
  );
}
