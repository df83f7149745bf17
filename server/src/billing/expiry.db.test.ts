import { expect, it } from 'vitest';
import { deleteExpiredRows } from '../expired-rows.ts';
import { createTestDatabase } from '../test/database.ts';

const { db } = await createTestDatabase();

it('deletes sessions and quotes a week after they expired', async () => {
  await db.query(`insert into workspaces (id, name) values ('ws_1', 'One')`);
  for (const [id, age] of [
    ['deleted', '7 days 1 minute'],
    ['kept', '6 days 23 hours 59 minutes'],
  ]) {
    await db.query(
      `insert into sandbox_sessions (id, workspace_id, kind, success_url, cancel_url, expires_at)
       values ($1, 'ws_1', 'portal', '', '', now() - $2::interval)`,
      [id, age],
    );
    await db.query(
      `insert into plan_changes
         (id, workspace_id, subscription_id, plan, amount_due, currency, prorated_at, success_url, cancel_url, expires_at)
       values ($1, 'ws_1', 'sub_1', 'pro', 0, 'eur', now(), '', '', now() - $2::interval)`,
      [id, age],
    );
  }
  expect(await deleteExpiredRows(db)).toBe(2);
  expect(await db.query('select id from sandbox_sessions union all select id from plan_changes')).toEqual([
    { id: 'kept' },
    { id: 'kept' },
  ]);
});
