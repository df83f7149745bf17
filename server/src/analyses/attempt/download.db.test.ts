import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Context } from '../../context.ts';
import type { DiskSpace } from '../../platform/disk-space.ts';
import { FetchFailed, type FetchFailure } from '../../platform/fetch-errors.ts';
import type { Storage } from '../../platform/storage.ts';
import { createTestDatabase } from '../../test/database.ts';
import { buildTestContext } from '../../test/dependencies.ts';
import { startLocalServer } from '../../test/local-server.ts';
import { until } from '../../test/until.ts';
import type { Analysis } from '../analysis.ts';
import { sourceLimitsOf } from '../source-limits.ts';
import { downloadSource } from './download.ts';

const { db } = await createTestDatabase();
const TOTAL_BYTES = 1_000_000_000;
const BODY_BYTES = 100_000;
const AMPLE_SPACE: DiskSpace = { freeBytes: TOTAL_BYTES, totalBytes: TOTAL_BYTES };
const origin = await startLocalServer((request, response) => {
  const status = Number(/^\/status\/(\d+)$/.exec(request.url ?? '')?.[1] ?? 200);
  const headers = request.url === '/declared.wav' ? { 'content-length': String(BODY_BYTES) } : {};
  response.writeHead(status, headers).end(Buffer.alloc(BODY_BYTES));
});

/** The lease is invalid, so no download is recorded: what counts is the error, and how often bytes were stored. */
async function download(
  path: string,
  diskSpace: DiskSpace,
  env: Record<string, string> = {},
  { retainSource = false, ...overrides }: Partial<Context> & { retainSource?: boolean } = {},
) {
  const ctx = await buildTestContext(db, { diskSpace: async () => diskSpace, ...overrides }, env);
  let putCount = 0;
  const storage: typeof ctx.storage = {
    ...ctx.storage,
    put: (...given) => {
      putCount += 1;
      return ctx.storage.put(...given);
    },
  };
  const analysis = {
    id: 'job_1',
    sourceUrl: new URL(path, origin.url).href,
    workspaceId: null,
    fileName: null,
    retainSource,
  } as Analysis;
  const limits = sourceLimitsOf(ctx.config, 'workspace');
  const lease = { jobId: 0, claim: 0 };
  const { signal } = new AbortController();
  const error = await downloadSource({ ...ctx, storage }, lease, analysis, limits, signal).catch(
    (thrown: unknown) => thrown,
  );
  return { error, putCount };
}

it.each(['/declared.wav', '/unknown.wav'])(
  'leaves the rest of the disk to the database, and may be retried: %s',
  async (path) => {
    const { error, putCount } = await download(path, { freeBytes: 1, totalBytes: TOTAL_BYTES });
    expect(error).toMatchObject({
      name: 'AnalysisError',
      code: 'internal',
      message: 'The service has no room for this file right now. Try again later.',
      retryable: true,
    });
    expect(putCount).toBe(0);
    expect(await db.query('select 1 from storage_objects')).toEqual([]);
  },
);

it('needs space for the declared size, or for the maximum without one', async () => {
  // The last 2 % stay free.
  const freeBytes = TOTAL_BYTES * 0.02 + BODY_BYTES;
  expect((await download('/declared.wav', { freeBytes, totalBytes: TOTAL_BYTES })).putCount).toBe(1);
  expect((await download('/unknown.wav', { freeBytes, totalBytes: TOTAL_BYTES })).putCount).toBe(0);
});

it.each([
  [401, 'download_forbidden', false],
  [403, 'download_forbidden', false],
  [404, 'download_failed', false],
  [410, 'download_failed', false],
  [408, 'download_failed', true],
  [425, 'download_failed', true],
  [429, 'download_failed', true],
  [500, 'download_failed', true],
  [502, 'download_failed', true],
  [503, 'download_failed', true],
  [504, 'download_failed', true],
])('reports the status %i as %s, retryable: %s', async (status, code, retryable) => {
  const { error, putCount } = await download(`/status/${status}`, AMPLE_SPACE);
  const message = expect.stringContaining(String(status));
  expect(error).toMatchObject({ name: 'AnalysisError', code, retryable, message });
  expect(putCount).toBe(0);
});

it.each([
  ['by its declared length, without storing any of it', '/declared.wav', 0],
  ['at the first byte too many', '/unknown.wav', 1],
])('refuses a file that is too large %s', async (_, path, expectedPutCount) => {
  const { error, putCount } = await download(path, AMPLE_SPACE, { UPLOAD_BYTES_MAX: String(BODY_BYTES - 1) });
  expect(error).toMatchObject({
    code: 'too_large',
    retryable: false,
    message: 'The file is larger than 99999 bytes. Use a shorter or compressed one.',
  });
  expect(putCount).toBe(expectedPutCount);
  expect(await db.query('select 1 from storage_objects')).toEqual([]);
});

it('refuses a private address for good', async () => {
  const { error } = await download('http://10.0.0.1/song.wav', AMPLE_SPACE);
  expect(error).toMatchObject({
    code: 'download_forbidden',
    retryable: false,
    message: 'This address cannot be used. Give a public http or https address.',
  });
});

it.each<[FetchFailure, boolean]>([
  ['dns', true],
  ['connect', true],
  ['timeout', true],
  ['protocol', true],
  ['aborted', true],
  ['tls', false],
  ['redirects', false],
])('reports that the request failed (%s), retryable: %s', async (reason, retryable) => {
  const fail = async () => {
    throw new FetchFailed(reason, 'It failed');
  };
  const guardedFetch = Object.assign(fail, { isUrlAllowed: async () => true });
  const { error } = await download('/song.wav', AMPLE_SPACE, {}, { guardedFetch });
  const message = 'It failed. Check that the address leads straight to an audio file.';
  expect(error).toMatchObject({ name: 'AnalysisError', code: 'download_failed', retryable, message });
});

describe('a server that is slow to answer', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('is given half a minute', async () => {
    const slow = await startLocalServer((_, response) => {
      vi.advanceTimersByTime(29_999);
      response.end(Buffer.alloc(BODY_BYTES));
    });
    expect((await download(slow.url, AMPLE_SPACE)).putCount).toBe(1);
  });

  it('and not more', async () => {
    const silent = await startLocalServer(() => vi.advanceTimersByTime(30_000));
    const { error } = await download(silent.url, AMPLE_SPACE);
    const message =
      'The server did not answer in time. Check that the address leads straight to an audio file.';
    expect(error).toMatchObject({ code: 'download_failed', retryable: true, message });
  });
});

it('refuses audio to be retained for which the quota has no room', async () => {
  // One more than the demo may keep, and only declared: none is sent.
  const declaredBytes = 1_000_000_001;
  const large = await startLocalServer((_, response) =>
    response.writeHead(200, { 'content-length': declaredBytes }).flushHeaders(),
  );
  const diskSpace = { freeBytes: 2 * declaredBytes, totalBytes: 2 * declaredBytes };
  const env = { UPLOAD_BYTES_MAX: String(declaredBytes) };
  const { error, putCount } = await download(large.url, diskSpace, env, { retainSource: true });
  const message = expect.stringMatching(/^The demo may keep 1 GB/);
  expect(error).toMatchObject({ name: 'AnalysisError', code: 'too_large', retryable: false, message });
  expect(putCount).toBe(0);
});

it('closes the connection when the bytes cannot be stored', async () => {
  let isClosed = false;
  const endless = await startLocalServer((_, response) => {
    response.once('close', () => {
      isClosed = true;
    });
    response.flushHeaders();
  });
  const failure = new Error('The disk is read-only');
  const put = () => Promise.reject(failure);
  const storage = { put, delete: async () => {} } as Partial<Storage> as Storage;
  expect((await download(endless.url, AMPLE_SPACE, {}, { storage })).error).toBe(failure);
  await until(() => isClosed, 'the connection is closed');
});
