import { describe, expect, it } from 'vitest';
import { markDeleted } from '../analyses/store.ts';
import { replaceCorrection } from '../corrections/corrections.ts';
import { AppError } from '../errors.ts';
import { newId } from '../platform/ids.ts';
import type { Transaction } from '../platform/postgres.ts';
import { isQueryBlocked } from '../test/blocked-query.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestContext } from '../test/dependencies.ts';
import { createTestMember } from '../test/member.ts';
import { until } from '../test/until.ts';
import { backfillIndex } from './backfill.ts';
import { reindexSong, removeFromIndex } from './index-song.ts';
import { INDEX_VERSION } from './song.ts';
import { BACKFILL_BATCH_MAX } from './store.ts';
import { addTestSong } from './test-songs.ts';

const { db } = await createTestDatabase();
const ctx = await buildTestContext(db);
const member = await createTestMember(ctx);
const { workspaceId } = member.actor;

const addSong = (title: string) => addTestSong(db, workspaceId, { title });
const makeOutdated = (ids: string[]) =>
  db.query('update songs set shelf_version = 0, bpm = null where analysis_id = any ($1)', [ids]);
const read = (id: string) =>
  db.one('select bpm, shelf_version as version from songs where analysis_id = $1', [id]);

describe('songs indexed by an older version', () => {
  it('are indexed again', async () => {
    const id = await addSong('Old');
    await makeOutdated([id]);
    expect(await backfillIndex(ctx)).toBe(1);
    expect(await read(id)).toEqual({ bpm: 120, version: INDEX_VERSION });
    expect(await backfillIndex(ctx)).toBe(0);
  });

  it('wait for the next sweep when the process stops', async () => {
    await makeOutdated([await addSong('Old')]);
    expect(await backfillIndex({ ...ctx, stopping: AbortSignal.abort() })).toBe(0);
    expect(await backfillIndex(ctx)).toBe(1);
  });

  it('are sorted by all words of their name, including those an older version left out', async () => {
    const id = await addSong('Bye Bye Bye');
    await db.query(`update songs set shelf_version = 3, title_key = 'bye' where analysis_id = $1`, [id]);
    expect(await backfillIndex(ctx)).toBe(1);
    expect(await db.one('select title_key as key from songs where analysis_id = $1', [id])).toEqual({
      key: 'bye bye bye',
    });
  });

  /** Commits the change of a song once a backfill waits for it. */
  async function changeDuringBackfill(change: (tx: Transaction) => Promise<unknown>): Promise<void> {
    const started = await db.transaction(async (tx) => {
      await change(tx);
      const backfill = backfillIndex(ctx);
      await until(() => isQueryBlocked(db), 'the backfill waits for the change');
      return { backfill };
    });
    await started.backfill;
  }

  it('leave no row when they are deleted meanwhile', async () => {
    const id = await addSong('Deleted');
    await makeOutdated([id]);
    await changeDuringBackfill(async (tx) => {
      await removeFromIndex(tx, { workspaceId, analysisId: id });
      await markDeleted(tx, id, new Date());
    });
    expect(await db.query('select 1 from songs where analysis_id = $1', [id])).toEqual([]);
  });

  it('keep a correction that is made meanwhile', async () => {
    const id = await addSong('Corrected');
    await makeOutdated([id]);
    await changeDuringBackfill((tx) => {
      const held = { ...member, db: { ...db, transaction: (work: (own: typeof tx) => unknown) => work(tx) } };
      const correction = { changes: { tempo: 'double' as const }, note: null };
      return replaceCorrection(held as typeof member, id, correction);
    });
    expect(await read(id)).toEqual({ bpm: 240, version: INDEX_VERSION });
  });

  it('wait for the next sweep when the database cannot be reached', async () => {
    const id = await addSong('Later');
    await makeOutdated([id]);
    const transaction = () => Promise.reject(new AppError('unavailable', 'planted'));
    await expect(backfillIndex({ ...ctx, db: { ...ctx.db, transaction } })).rejects.toThrow('planted');
    expect(await backfillIndex(ctx)).toBe(1);
  });

  it('are indexed again even after a whole batch of songs whose results cannot be read', async () => {
    const broken: string[] = [];
    for (let n = 0; n < BACKFILL_BATCH_MAX + 1; n += 1) broken.push(await addSong('Broken'));
    await db.query(`update analysis_results set summary = '{}' where analysis_id = any ($1)`, [broken]);
    await makeOutdated(broken);
    const whole = await addSong('Whole');
    await makeOutdated([whole]);
    expect(await backfillIndex(ctx)).toBe(1);
    expect(await read(whole)).toEqual({ bpm: 120, version: INDEX_VERSION });
    expect(await read(broken[0]!)).toEqual({ bpm: null, version: 0 });
  });
});

describe('songs that a release without the library index completed', () => {
  it('are searched for once an hour and indexed, whether the row or only its result is missing', async () => {
    // The search of this hour.
    await backfillIndex(ctx);
    const ids = [await addSong('Absent'), await addSong('Unheard'), await addSong('Long ago')];
    await db.query('delete from songs where analysis_id = any ($1)', [[ids[0], ids[2]]]);
    await db.query('update songs set bpm = null, duration_seconds = null where analysis_id = $1', [ids[1]]);
    await db.query(`update analyses set completed_at = now() - interval '49 hours' where id = $1`, [ids[2]]);
    expect(await backfillIndex(ctx)).toBe(0);
    await db.query(`update job_schedules set last_tick_at = now() - interval '1 hour'`);
    expect(await backfillIndex(ctx)).toBe(2);
    for (const id of ids.slice(0, 2)) expect(await read(id)).toEqual({ bpm: 120, version: INDEX_VERSION });
  });
});

describe('an upload that is indexed before its analysis', () => {
  it('has the hash of its bytes, and a row in its own workspace alone', async () => {
    const [id, objectId] = [await addSong('Uploaded'), newId('obj')];
    await db.query(
      `insert into storage_objects (id, workspace_id, bucket, key, purpose, content_type, status, byte_size_max, sha256)
       values ($1, $2, 'uploads', $1, 'upload', 'audio/wav', 'stored', 1, 'its hash')`,
      [objectId, workspaceId],
    );
    await db.query('update analyses set storage_object_id = $2 where id = $1', [id, objectId]);
    const elsewhere = (await createTestMember(ctx)).actor.workspaceId;
    await db.query('delete from songs where analysis_id = $1', [id]);
    for (const owner of [elsewhere, workspaceId]) {
      await db.transaction((tx) => reindexSong(tx, { workspaceId: owner, analysisId: id }));
    }
    expect(await db.query('select workspace_id, sha256 from songs where analysis_id = $1', [id])).toEqual([
      { workspace_id: workspaceId, sha256: 'its hash' },
    ]);
  });
});
