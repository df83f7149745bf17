import type { Database, Queryable, Transaction } from '../platform/postgres.ts';

/** How many rows PostgreSQL reads for `work`, with and without indexes, including checks of foreign keys. `work` is rolled back. */
export async function countRowsRead(
  db: Database,
  work: (db: Database & Transaction) => Promise<unknown>,
): Promise<number> {
  const undone = new Error('Counted');
  let rows = 0;
  await db
    .transaction(async (tx) => {
      const before = await readCounter(tx);
      await work({ ...db, ...tx, transaction: (inner) => inner(tx) });
      rows = (await readCounter(tx)) - before;
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
  return rows;
}

async function readCounter(db: Queryable): Promise<number> {
  const { rows } = await db.one<{ rows: number }>(
    'select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint as rows from pg_stat_xact_user_tables',
  );
  return rows;
}
