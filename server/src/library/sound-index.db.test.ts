import { expect, it } from 'vitest';
import { createWorkspaceBench } from '../analyses/test-workspace-bench.ts';
import type { Database, Transaction } from '../platform/postgres.ts';
import { until } from '../test/until.ts';
import { findSongs } from './find.ts';
import { createSoundIndex } from './sound-index.ts';
import { listSounds, type SoundPosition } from './sound-store.ts';
import { addTestSong } from './test-songs.ts';

const { db, newCustomer } = await createWorkspaceBench();
/** Of an embedding of version 2 (embedding-parts.ts). */
const DIMENSION_COUNT = 250;
const SEARCH = { aspect: 'all', limit: 10 } as const;

async function newLibrary(songCount: number) {
  const { member } = await newCustomer();
  const ids: string[] = [];
  for (let song = 0; song < songCount; song += 1) {
    const embedding = Array.from({ length: DIMENSION_COUNT }, (_, at) => Number(at === song));
    ids.push(await addTestSong(db, member.actor.workspaceId, { title: `Song ${song}`, embedding }));
  }
  return { member, workspaceId: member.actor.workspaceId, ids };
}

/** A database that records how many sounds each page read. */
function watchReading() {
  const read: number[] = [];
  const watched: Database = {
    ...db,
    transaction: (work) =>
      db.transaction((tx) =>
        work({
          ...tx,
          one: async <R>(sql: string, params?: readonly unknown[]) => {
            const row = await tx.one<R & { ids?: string | null }>(sql, params);
            if (sql.includes('song_sounds')) read.push(row.ids ? row.ids.split(',').length : 0);
            return row;
          },
        } as Transaction),
      ),
  };
  return { read, watched };
}

it('reads the sounds of an opened library ahead, and later only new ones', async () => {
  const { member, workspaceId, ids } = await newLibrary(3);
  const { read, watched } = watchReading();
  const soundIndex = createSoundIndex(watched);
  const page = { limit: 10, after: null };
  await findSongs({ ...member, soundIndex }, { filter: {} }, page);
  await until(() => read.length > 0, 'the sounds are read');
  expect(read).toEqual([3]);
  await findSongs({ ...member, soundIndex }, { filter: {} }, page);
  const ask = () => soundIndex.findNearest(workspaceId, ids[1]!, SEARCH);
  expect(await ask()).toHaveLength(3);
  expect(read).toHaveLength(2);
  // Sounds written since the server's oldest open transaction, which may be another test's, are read again.
  await until(async () => {
    await ask();
    return read.at(-1) === 0;
  }, 'nothing is read again once older transactions have finished');
});

it('evicts the least recently searched library, and then reads none ahead', async () => {
  const [first, second] = [await newLibrary(3), await newLibrary(3)];
  const [third, fourth] = [await newLibrary(1), await newLibrary(1)];
  const { read, watched } = watchReading();
  // Every library counts as one more than its sounds: there is room for the first two.
  const index = createSoundIndex(watched, 8);
  const search = ({ workspaceId, ids }: typeof first) => index.findNearest(workspaceId, ids[0]!, SEARCH);
  for (const library of [first, second, first, third]) expect(await search(library)).not.toBeNull();
  // From now on only what is still in memory is found.
  const owners = [first.workspaceId, second.workspaceId];
  await db.query('delete from song_sounds where workspace_id = any ($1)', [owners]);
  expect(await search(first)).toHaveLength(3);
  expect(await search(second)).toBeNull();
  index.prepare(fourth.workspaceId);
  read.length = 0;
  expect(await search(fourth)).toHaveLength(1);
  expect(read).toEqual([1]);
});

it('compares sounds of one version only', async () => {
  const { workspaceId, ids } = await newLibrary(3);
  await db.query(
    'update song_sounds set embedding_version = 1, embedding = substr(embedding, 1, 200) where analysis_id = any ($1)',
    [ids.slice(1)],
  );
  const index = createSoundIndex(db);
  const idsNear = async (id: string) =>
    (await index.findNearest(workspaceId, id, SEARCH))!.map((one) => one.id);
  expect(await idsNear(ids[0]!)).toEqual([ids[0]]);
  expect((await idsNear(ids[1]!)).sort()).toEqual([ids[1], ids[2]]);
});

it('reads again after a read that failed', async () => {
  const { workspaceId, ids } = await newLibrary(1);
  let failing = true;
  const transaction: Database['transaction'] = (work) =>
    failing ? Promise.reject(new Error('no connection')) : db.transaction(work);
  const index = createSoundIndex({ ...db, transaction });
  const search = () => index.findNearest(workspaceId, ids[0]!, SEARCH);
  await expect(search()).rejects.toThrow('no connection');
  failing = false;
  expect(await search()).toHaveLength(1);
});

it('lists each sound once, page by page, also several of one transaction', async () => {
  const { workspaceId, ids } = await newLibrary(5);
  for (const [writtenBy, written] of [
    [7, ids.slice(0, 3)],
    [9, ids.slice(3)],
  ]) {
    await db.query('update song_sounds set written_by = $1 where analysis_id = any ($2)', [
      writtenBy,
      written,
    ]);
  }
  const pages: [id: string, dimension: number][][] = [];
  let after: SoundPosition | null = { writtenBy: 0, id: '' };
  while (after !== null) {
    const page: Awaited<ReturnType<typeof listSounds>> = await listSounds(db, workspaceId, {
      after,
      limit: 2,
    });
    pages.push([...page.sounds].map(({ analysisId, embedding }) => [analysisId, embedding.indexOf(1)]));
    after = page.next;
  }
  const sounds = ids.map((id, song) => [id, song]);
  expect(pages).toEqual([sounds.slice(0, 2), sounds.slice(2, 4), sounds.slice(4)]);
});
