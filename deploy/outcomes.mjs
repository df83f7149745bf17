import { until } from './until.mjs';

export async function waitForEnds(db, ids, timing) {
  const open = 'select count(*)::int as open from analyses where id = any($1) and completed_at is null';
  const allEnded = async () => (await db.query(open, [ids])).rows[0].open === 0;
  await until(allEnded, 'every analysis has ended', timing);
}

/** What became of the accepted analyses, according to the database. */
export async function countOutcomes(db, ids) {
  const count = async (rows) => (await db.query(`select count(*)::int as n from ${rows}`, [ids])).rows[0].n;
  return {
    completed: await count(`analyses where id = any($1) and status = 'completed'`),
    failed: await count(`analyses where id = any($1) and status = 'failed'`),
    lost: ids.length - (await count('analyses where id = any($1) and completed_at is not null')),
    endedTwice: await count(
      `(select from analysis_events where analysis_id = any($1)
         and event_type in ('job.completed', 'job.failed', 'job.canceled')
       group by analysis_id having count(*) <> 1) ended`,
    ),
    chargedWrongly: await count(
      `analyses a where a.id = any($1) and (
         (select count(*) from credit_ledger where analysis_id = a.id and entry = 'charge') <> 1
         or (a.status = 'completed') = exists (select from credit_ledger where analysis_id = a.id and entry = 'refund'))`,
    ),
  };
}
