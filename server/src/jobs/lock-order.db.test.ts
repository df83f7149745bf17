import { expect, it } from 'vitest';
import type { Database, Transaction } from '../platform/postgres.ts';
import { createTestDatabase } from '../test/database.ts';
import { enqueue } from './queue.ts';
import { promoteDueJobs } from './store.ts';

const { db } = await createTestDatabase({ connectionsMax: 20 });

/** Returns a barrier: the promises resolve together, once it was called `count` times. */
function createBarrier(count: number): () => Promise<void> {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let missingCount = count;
  return () => {
    missingCount -= 1;
    if (missingCount === 0) open();
    return opened;
  };
}

/** Counts transactions and how often they begin: more often after a deadlock, which repeats the one that lost. */
function countBegins() {
  const counts = { transactions: 0, begins: 0 };
  const counted: Database = {
    ...db,
    transaction(work) {
      counts.transactions += 1;
      return db.transaction((tx) => {
        counts.begins += 1;
        return work(tx);
      });
    },
  };
  return { counted, counts };
}

function add(tx: Transaction, tenant: string): Promise<void> {
  return enqueue(tx, { kind: 'webhook.deliver', tenant, payload: { deliveryId: tenant } });
}

it('two transactions that enqueue for the same tenants in opposite orders both commit, without a deadlock', async () => {
  const { counted, counts } = countBegins();
  const meet = createBarrier(2);
  const queueFor = (first: string, second: string) =>
    counted.transaction(async (tx) => {
      await add(tx, first);
      await meet();
      await add(tx, second);
    });
  await Promise.all([queueFor('a', 'b'), queueFor('b', 'a')]);
  expect(await db.query(`select tenant from jobs where tenant in ('a', 'b') order by tenant`)).toEqual(
    ['a', 'a', 'b', 'b'].map((tenant) => ({ tenant })),
  );
  expect(counts).toEqual({ transactions: 2, begins: 2 });
});

it('transactions that enqueue in reverse order do not deadlock with the promotion of retries of the same tenants', async () => {
  const { counted, counts } = countBegins();
  const [roundCount, endpointCount, writerCount] = [8, 6, 6];
  const endpoints = Array.from({ length: endpointCount }, (_, index) => `endpoint-${index}`);
  for (let round = 0; round < roundCount; round += 1) {
    await db.transaction(async (tx) => {
      for (const tenant of endpoints)
        await enqueue(tx, {
          kind: 'webhook.deliver',
          tenant,
          payload: { deliveryId: 'x' },
          runAt: new Date(0),
        });
    });
    const writers = Array.from({ length: writerCount }, () =>
      counted.transaction(async (tx) => {
        for (const tenant of endpoints.toReversed()) await add(tx, tenant);
      }),
    );
    await Promise.all([...writers, promoteDueJobs(counted), promoteDueJobs(counted)]);
  }
  const { count } = await db.one<{ count: number }>(
    `select count(*) as count from jobs where tenant like 'endpoint-%' and state = 'queued'`,
  );
  // In each round every endpoint gets one retry and one job of each writer.
  expect(count).toBe(roundCount * endpointCount * (1 + writerCount));
  expect(counts.begins).toBe(counts.transactions);
});

it('repeats a transaction that lost a deadlock, from its beginning', async () => {
  await db.query('create table pair (name text primary key, writes integer not null default 0)');
  await db.query(`insert into pair (name) values ('left'), ('right')`);
  const meet = createBarrier(2);
  let beginCount = 0;
  const writeBoth = (first: string, second: string) =>
    db.transaction(async (tx) => {
      beginCount += 1;
      await tx.query('update pair set writes = writes + 1 where name = $1', [first]);
      await meet();
      await tx.query('update pair set writes = writes + 1 where name = $1', [second]);
    });
  await Promise.all([writeBoth('left', 'right'), writeBoth('right', 'left')]);
  expect(beginCount).toBe(3);
  expect(await db.query('select distinct writes from pair')).toEqual([{ writes: 2 }]);
});

it('reports a transaction that keeps losing as unavailable (503)', async () => {
  const losing = db.transaction((tx) =>
    tx.query(`do $$ begin raise exception 'lost' using errcode = '40001'; end $$`),
  );
  await expect(losing).rejects.toMatchObject({ code: 'unavailable' });
});
