import { expect, it } from 'vitest';
import type { Transaction } from '../platform/postgres.ts';
import { createTestDatabase } from '../test/database.ts';
import { enqueue } from './queue.ts';
import { promoteDueJobs } from './store.ts';

const { db } = await createTestDatabase({ connectionsMax: 20 });

/** Resolves for everybody when as many have come. */
function createMeeting(count: number): () => Promise<void> {
  let come: () => void = () => {};
  const all = new Promise<void>((resolve) => {
    come = resolve;
  });
  return () => {
    count -= 1;
    if (count === 0) come();
    return all;
  };
}

function add(tx: Transaction, tenant: string): Promise<void> {
  return enqueue(tx, { kind: 'webhook.deliver', tenant, payload: { deliveryId: tenant } });
}

it('lets two who queue for the same tenants in opposite orders both through', async () => {
  const meet = createMeeting(2);
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

it('gets through when endpoints are told newest first while retries of the same endpoints come due', async () => {
  const endpoints = Array.from({ length: 6 }, (_, number) => `endpoint-${number}`);
  for (let round = 0; round < 8; round += 1) {
    await db.transaction(async (tx) => {
      for (const tenant of endpoints)
        await enqueue(tx, {
          kind: 'webhook.deliver',
          tenant,
          payload: { deliveryId: 'x' },
          runAt: new Date(0),
        });
    });
    const cancels = Array.from({ length: 6 }, () =>
      db.transaction(async (tx) => {
        for (const tenant of endpoints.toReversed()) await add(tx, tenant);
      }),
    );
    await Promise.all([...cancels, promoteDueJobs(db), promoteDueJobs(db)]);
  }
  const { count } = await db.one<{ count: number }>(
    `select count(*) as count from jobs where tenant like 'endpoint-%' and state = 'queued'`,
  );
  expect(count).toBe(8 * 6 * 7);
});

it('makes a transaction that lost a deadlock again, from its beginning', async () => {
  await db.query('create table pair (name text primary key, writes integer not null default 0)');
  await db.query(`insert into pair (name) values ('left'), ('right')`);
  const meet = createMeeting(2);
  let begun = 0;
  const writeBoth = (first: string, second: string) =>
    db.transaction(async (tx) => {
      begun += 1;
      await tx.query('update pair set writes = writes + 1 where name = $1', [first]);
      await meet();
      await tx.query('update pair set writes = writes + 1 where name = $1', [second]);
    });
  await Promise.all([writeBoth('left', 'right'), writeBoth('right', 'left')]);
  expect(begun).toBe(3);
  expect(await db.query('select distinct writes from pair')).toEqual([{ writes: 2 }]);
});

it('answers 503 for a transaction that loses again and again, and never 500', async () => {
  const losing = db.transaction((tx) =>
    tx.query(`do $$ begin raise exception 'lost' using errcode = '40001'; end $$`),
  );
  await expect(losing).rejects.toMatchObject({ code: 'unavailable' });
});
