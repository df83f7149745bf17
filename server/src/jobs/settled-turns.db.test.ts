import { expect, it } from 'vitest';
import { createTestDatabase } from '../test/database.ts';
import { enqueue } from './queue.ts';
import { deleteSettledTurns } from './store.ts';

const { db } = await createTestDatabase();

it('deletes turns that the queue has passed, and keeps the others', async () => {
  const add = (tenant: string, count: number) =>
    db.transaction(async (tx) => {
      for (let n = 0; n < count; n += 1) {
        await enqueue(tx, { kind: 'mail.send', tenant, payload: { mailId: `${tenant}-${n}` } });
      }
    });
  await add('past', 1);
  await db.query('delete from jobs');
  await add('busy', 5);
  await db.query(`delete from jobs where turn < (select max(turn) from jobs)`);
  await deleteSettledTurns(db);
  expect(await db.query('select tenant from job_turns')).toEqual([{ tenant: 'busy' }]);
});
