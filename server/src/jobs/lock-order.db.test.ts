import { expect, it } from 'vitest';
import type { Transaction } from '../platform/postgres.ts';
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

function add(tx: Transaction, tenant: string): Promise<void> {
  return enqueue(tx, { kind: 'webhook.deliver', tenant, payload: { deliveryId: tenant } });
}

it('two transactions that enqueue for the same tenants in opposite orders both commit', async () => {
  const meet = createBarrier(2);
  const queueFor = (first: string, second: string) =>
    db.transaction(async (tx) => {
      await add(tx, first);
      await meet();
      await add(tx, second);
    });
  await Promise.all([queueFor('a', 'b'), queueFor('b', 'a')]);
  expect(await db.query(`select tenant from jobs where tenant in ('a', 'b') order by tenant`)).toEqual(
    ['a', 'a', 'b', 'b'].map((tenant) => ({ tenant })),
  );
});

it('transactions that enqueue in reverse order commit while retries of the same tenants are promoted', async () => {
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
      db.transaction(async (tx) => {
        for (const tenant of endpoints.toReversed()) await add(tx, tenant);
      }),
    );
    await Promise.all([...writers, promoteDueJobs(db), promoteDueJobs(db)]);
  }
  const { count } = await db.one<{ count: number }>(
    `select count(*) as count from jobs where tenant like 'endpoint-%' and state = 'queued'`,
  );
  // In each round every endpoint gets one retry and one job of each writer.
  expect(count).toBe(roundCount * endpointCount * (1 + writerCount));
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
