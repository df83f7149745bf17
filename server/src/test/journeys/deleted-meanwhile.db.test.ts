import { expect, it } from 'vitest';
import { deleteAnalysis } from '../../analyses/analyses.ts';
import { createWorkspaceBench } from '../../analyses/test-workspace-bench.ts';
import { addTestSong } from '../../library/test-songs.ts';
import { isQueryBlocked } from '../blocked-query.ts';
import { until } from '../until.ts';

/** A row that a request writes about a song while it is being deleted must not remain. */

const { db, newCustomer } = await createWorkspaceBench();
const { member, client } = await newCustomer();
const { workspaceId } = member.actor;

/** Deletes the song in a transaction that commits only once `request` waits for it. */
async function deleteDuring<T>(id: string, request: () => Promise<T>): Promise<T> {
  let answer: Promise<T> | null = null;
  await db.transaction(async (tx) => {
    const held = { ...member, db: { ...db, transaction: (work: (own: typeof tx) => unknown) => work(tx) } };
    await deleteAnalysis(held as typeof member, id);
    answer = request();
    await until(() => isQueryBlocked(db), 'the request waits for the deletion');
  });
  return answer!;
}

it('a correction is 404 and leaves no row', async () => {
  const id = await addTestSong(db, workspaceId);
  const { status } = await deleteDuring(id, () =>
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
  const { status } = await deleteDuring(id, () =>
    client.post('/v1/collections', { name: 'Friday', items: [id] }),
  );
  expect(status).toBe(422);
  expect(await db.query('select 1 from collection_items where analysis_id = $1', [id])).toEqual([]);
});
