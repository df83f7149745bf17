import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ObjectMissing, type Storage } from '../../platform/storage.ts';
import { reserveObject } from '../../storage-objects/storage-objects.ts';
import { createTestDatabase } from '../../test/database.ts';
import { buildTestContext } from '../../test/dependencies.ts';
import type { Analysis } from '../analysis.ts';
import { sourceLimitsOf } from '../source-limits.ts';
import { openSource } from './source.ts';

const { db } = await createTestDatabase();

/** An object that was put straight into the store, so it has no hash yet. */
async function openFrom(openFile: Storage['openFile']) {
  const ctx = await buildTestContext(db);
  const object = await reserveObject(ctx, db, {
    workspaceId: null,
    purpose: 'upload',
    contentType: 'audio/wav',
    byteSizeMax: 100,
    fileName: null,
    createdBy: null,
  });
  await db.query(`update storage_objects set status = 'stored', byte_size = 1 where id = $1`, [object.id]);
  const analysis = { storageObjectId: object.id } as Analysis;
  const limits = sourceLimitsOf(ctx.config, 'workspace');
  const lease = { jobId: 0, claim: 0 };
  const seen = { ...ctx, storage: { ...ctx.storage, openFile } };
  return openSource(seen, lease, analysis, limits, new AbortController().signal);
}

it('hashes audio that has no hash yet', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-source-'));
  const path = join(folder, 'song.wav');
  await writeFile(path, 'abc');
  const source = await openFrom(async () => ({
    path,
    byteSize: 3,
    release: () => rm(folder, { recursive: true }),
  }));
  // The example of FIPS 180-2, appendix B.1.
  expect(source.sha256).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  await source.release();
});

it('releases its copy when the copy cannot be read', async () => {
  let releaseCount = 0;
  const opened = openFrom(async () => ({
    path: '/nowhere/song.wav',
    byteSize: 1,
    release: async () => void releaseCount++,
  }));
  await expect(opened).rejects.toMatchObject({ code: 'ENOENT' });
  expect(releaseCount).toBe(1);
});

it('fails for good when the stored audio is gone', async () => {
  const opened = openFrom(async (key) => {
    throw new ObjectMissing(key);
  });
  await expect(opened).rejects.toMatchObject({
    code: 'no_audio',
    retryable: false,
    message: 'The audio is no longer available. Send it again.',
  });
});
