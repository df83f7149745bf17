import { describe, expect, it } from 'vitest';
import { createTestDatabase } from '../test/database.ts';
import { buildTestContext } from '../test/dependencies.ts';
import { createTestMember } from '../test/member.ts';
import { shelveLeftBehind } from './backfill.ts';
import { SHELF_VERSION } from './song.ts';
import { putOnShelf } from './test-songs.ts';

const { db } = await createTestDatabase();
const ctx = await buildTestContext(db);
const { workspaceId } = (await createTestMember(ctx)).actor;

const shelve = (title: string) => putOnShelf(db, workspaceId, { title });
const makeOutdated = (ids: string[]) =>
  db.query('update songs set shelf_version = 0, bpm = null where analysis_id = any ($1)', [ids]);
const read = (id: string) =>
  db.one('select bpm, shelf_version as version from songs where analysis_id = $1', [id]);

describe('what an older version has shelved', () => {
  it('is shelved again', async () => {
    const id = await shelve('Old');
    await makeOutdated([id]);
    expect(await shelveLeftBehind(ctx)).toBe(1);
    expect(await read(id)).toEqual({ bpm: 120, version: SHELF_VERSION });
    expect(await shelveLeftBehind(ctx)).toBe(0);
  });

  it('is shelved again beside a song whose result cannot be read', async () => {
    const ids = [await shelve('Broken'), await shelve('Whole')];
    await db.query(`update analysis_results set summary = '{}' where analysis_id = $1`, [ids[0]]);
    await makeOutdated(ids);
    expect(await shelveLeftBehind(ctx)).toBe(1);
    expect(await read(ids[1]!)).toEqual({ bpm: 120, version: SHELF_VERSION });
    expect(await read(ids[0]!)).toEqual({ bpm: null, version: 0 });
  });
});
