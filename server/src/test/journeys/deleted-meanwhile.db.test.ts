import { expect, it } from 'vitest';
import { deleteAnalysis } from '../../analyses/analyses.ts';
import { createWorkspaceBench } from '../../analyses/test-workspace-bench.ts';
import { addTestSong } from '../../library/test-songs.ts';
import { until } from '../until.ts';

/** What is written about a song during its deletion must not remain after it. */

const { db, newCustomer } = await createWorkspaceBench();
const { member, client } = await newCustomer();
const { workspaceId } = member.actor;

/** Deletes the song in a transaction that commits only once `request` waits for it. */
async function deleteBeneath<T>(id: string, request: () => Promise<T>): Promise<T> {
  let answer: Promise<T> | undefined;
  await db.transaction(async (tx) => {
    const held = { ...member, db: { ...db, transaction: (work: (own: typeof tx) => unknown) => work(tx) } };
    await deleteAnalysis(held as typeof member, id);
    answer = request();
    await until(async () => {
      const waits = await db.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return waits.length > 0;
    }, 'somebody waits for the deletion');
  });
  return answer!;
}

it('a correction is 404 and leaves no row', async () => {
  const id = await addTestSong(db, workspaceId);
  const { status } = await deleteBeneath(id, () =>
    client.send(`/v1/analyses/${id}/corrections`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ key: 'D minor' }),
    }),
  );
  expect(status).toBe(404);
  expect(await db.query('select 1 from analysis_corrections where analysis_id = $1', [id])).toEqual([]);
});

it('a new collection with the song is 422 and leaves no row', async () => {
  const id = await addTestSong(db, workspaceId);
  const { status } = await deleteBeneath(id, () =>
    client.post('/v1/collections', { name: 'Friday', items: [id] }),
  );
  expect(status).toBe(422);
  expect(await db.query('select 1 from collection_items where analysis_id = $1', [id])).toEqual([]);
});
