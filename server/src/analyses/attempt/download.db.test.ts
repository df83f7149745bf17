import { expect, it } from 'vitest';
import type { DiskSpace } from '../../platform/disk-space.ts';
import { createTestDatabase } from '../../test/database.ts';
import { buildTestContext } from '../../test/dependencies.ts';
import { startLocalServer } from '../../test/local-server.ts';
import type { Analysis } from '../analysis.ts';
import { sourceLimitsOf } from '../source-limits.ts';
import { downloadSource } from './download.ts';

const { db } = await createTestDatabase();
const TOTAL_BYTES = 1_000_000_000;
const BODY_BYTES = 100_000;
const origin = await startLocalServer((request, response) => {
  const headers = request.url === '/declared.wav' ? { 'content-length': String(BODY_BYTES) } : {};
  response.writeHead(200, headers).end(Buffer.alloc(BODY_BYTES));
});

/** Nobody has claimed it: what was stored is taken back in the end. How often bytes were put is what counts. */
async function download(path: string, room: DiskSpace) {
  const ctx = await buildTestContext(db, { diskSpace: async () => room });
  let puts = 0;
  const storage: typeof ctx.storage = {
    ...ctx.storage,
    put: (...given) => {
      puts += 1;
      return ctx.storage.put(...given);
    },
  };
  const analysis = {
    id: 'job_1',
    sourceUrl: `${origin.url}${path}`,
    workspaceId: null,
    fileName: null,
    retainSource: false,
  } as Analysis;
  const limits = sourceLimitsOf(ctx.config, 'workspace');
  const lease = { jobId: 0, claim: 0 };
  const { signal } = new AbortController();
  const error = await downloadSource({ ...ctx, storage }, lease, analysis, limits, signal).catch(
    (thrown: unknown) => thrown,
  );
  return { error, puts };
}

it.each(['/declared.wav', '/unknown.wav'])(
  'leaves the last of the disk to the database, and may be tried again: %s',
  async (path) => {
    const { error, puts } = await download(path, { freeBytes: 1, totalBytes: TOTAL_BYTES });
    expect(error).toMatchObject({
      name: 'AnalysisError',
      code: 'internal',
      message: 'The service has no room for this file right now. Try again later.',
      retryable: true,
    });
    expect(puts).toBe(0);
    expect(await db.query('select 1 from storage_objects')).toEqual([]);
  },
);

it('takes what it was told the size of where there is room for that much', async () => {
  // The last 2 % stay free.
  const freeBytes = TOTAL_BYTES * 0.02 + BODY_BYTES;
  expect((await download('/declared.wav', { freeBytes, totalBytes: TOTAL_BYTES })).puts).toBe(1);
  expect((await download('/unknown.wav', { freeBytes, totalBytes: TOTAL_BYTES })).puts).toBe(0);
});
