import type { Database, Queryable, Transaction } from '../platform/postgres.ts';

/** How many rows PostgreSQL reads for `work`, by sequential and index scans, including checks of foreign keys. `work` is rolled back. */
export async function countRowsRead(
  db: Database,
  work: (db: Database & Transaction) => Promise<unknown>,
): Promise<number> {
  const rollback = new Error('Rolls the transaction back');
  let rowCount = 0;
  await db
    .transaction(async (tx) => {
      const rowCountBefore = await readCounter(tx);
      await work({ ...db, ...tx, transaction: (inner) => inner(tx) });
      rowCount = (await readCounter(tx)) - rowCountBefore;
      throw rollback;
    })
    .catch((error: unknown) => {
      if (error !== rollback) throw error;
    });
  return rowCount;
}

async function readCounter(db: Queryable): Promise<number> {
  const { rows } = await db.one<{ rows: number }>(
    'select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint as rows from pg_stat_xact_user_tables',
  );
  return rows;
}
