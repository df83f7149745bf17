import { startDeadline } from '@earshot/sdk';
import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import type { Lease } from '../../jobs/lease.ts';
import { FetchFailed, type FetchFailure, FetchForbidden } from '../../platform/fetch-errors.ts';
import { formatBytes } from '../../platform/format-bytes.ts';
import type { GuardedResponse } from '../../platform/guarded-fetch.ts';
import type { Transaction } from '../../platform/postgres.ts';
import { assertRoomOnDisk } from '../../storage-objects/quota.ts';
import {
  discardObject,
  markObjectStored,
  reserveObject,
  reserveObjectOfSize,
} from '../../storage-objects/storage-objects.ts';
import type { Analysis } from '../analysis.ts';
import { appendEvent } from '../events.ts';
import type { SourceLimits } from '../source-limits.ts';
import { attachDownload } from '../store.ts';
import { AnalysisError } from './analysis-error.ts';
import { assertAttemptActive } from './attempt-lock.ts';
import { requireMinimumRate } from './minimum-rate.ts';

/** Enough for a chain to https, to another region and to a signed URL. */
const REDIRECTS_MAX = 5;
/** Long enough for a server that is slow or prepares the file first, short enough to free the slot of one that hangs. */
const CONNECT_TIMEOUT_MS = 10_000;
const FIRST_BYTE_TIMEOUT_MS = 30_000;
/** Enough for 50 MB, the default limit, at 1.4 Mbit/s. */
const TOTAL_TIMEOUT_MS = 300_000;

/** Downloads the analysis's URL into storage and returns the object's id. Later attempts use the same object. */
export async function downloadSource(
  ctx: Context,
  lease: Lease,
  analysis: Analysis,
  limits: SourceLimits,
  signal: AbortSignal,
  /** Further writes for the transaction that records the download. */
  alongside: (tx: Transaction) => Promise<void> = async () => {},
): Promise<string> {
  const url = analysis.sourceUrl;
  if (url === null) throw new Error(`Analysis ${analysis.id} has no source`);
  const answered = startDeadline(FIRST_BYTE_TIMEOUT_MS);
  const reading = startDeadline(null, signal, answered.signal);
  let response: GuardedResponse | null = null;
  try {
    response = await request(ctx, url, limits, reading.signal);
    answered.clear();
    if (response.status !== 200) throw unexpectedStatus(response.status);
    return await storeDownload(ctx, lease, analysis, limits, response, alongside);
  } catch (error) {
    signal.throwIfAborted();
    if (answered.signal.aborted) throw failed('The server did not answer in time', true, error);
    throw asDownloadError(error, limits);
  } finally {
    response?.discard();
    answered.clear();
    reading.clear();
  }
}

async function storeDownload(
  ctx: Context,
  lease: Lease,
  analysis: Analysis,
  { bytesMax }: SourceLimits,
  response: GuardedResponse,
  alongside: (tx: Transaction) => Promise<void>,
): Promise<string> {
  const contentType = 'application/octet-stream';
  const object = await reserveDownload(ctx, response, {
    workspaceId: analysis.workspaceId,
    purpose: 'download',
    contentType,
    fileName: analysis.fileName,
    createdBy: null,
    byteSizeMax: bytesMax,
    retained: analysis.retainSource,
  });
  try {
    const stored = await ctx.storage.put(object.key, requireMinimumRate(response), { bytesMax, contentType });
    await ctx.db.transaction(async (tx) => {
      await assertAttemptActive(tx, lease, analysis.id);
      await markObjectStored(tx, object.id, stored);
      await attachDownload(tx, analysis.id, object.id);
      await appendEvent(tx, analysis.id, 'source.downloaded', 'The audio was downloaded.', {
        byte_size: stored.byteSize,
      });
      await alongside(tx);
    });
    return object.id;
  } catch (error) {
    // Discards only a pending object. If that fails too, a sweep deletes it later.
    await discardObject(ctx, object.id).catch((discardError: unknown) =>
      ctx.log.debug({ err: discardError }, 'A failed download was not discarded'),
    );
    throw error;
  }
}

/** Audio that will be retained must fit the quota and the disk; other audio, deleted after the analysis, only the disk. */
async function reserveDownload(
  ctx: Context,
  response: GuardedResponse,
  { retained, ...fields }: Parameters<typeof reserveObject>[2] & { retained: boolean },
): Promise<{ id: string; key: string }> {
  const byteCount = declaredBytesOf(response) ?? fields.byteSizeMax;
  if (retained) return reserveObjectOfSize(ctx, { ...fields, byteCount });
  await assertRoomOnDisk(ctx, byteCount);
  return reserveObject(ctx, ctx.db, fields);
}

function request(
  ctx: Context,
  url: string,
  limits: SourceLimits,
  signal: AbortSignal,
): Promise<GuardedResponse> {
  return ctx.guardedFetch({
    url,
    method: 'GET',
    headers: { accept: 'audio/*, */*;q=0.1' },
    redirectsMax: REDIRECTS_MAX,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    totalTimeoutMs: TOTAL_TIMEOUT_MS,
    responseBytesMax: limits.bytesMax,
    onTooLong: 'fail',
    signal,
  });
}

/** Null when the server does not declare a length. */
function declaredBytesOf({ headers }: GuardedResponse): number | null {
  const declared = headers['content-length'];
  return declared === undefined ? null : Number(declared);
}

/** Worth a retry: overload, a restart, a name that does not resolve at the moment. */
const TRANSIENT_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504]);
const TRANSIENT_FAILURES = new Set<FetchFailure>(['dns', 'connect', 'timeout', 'protocol', 'aborted']);

function unexpectedStatus(status: number): AnalysisError {
  if (status === 401 || status === 403) {
    const message = `The server refused the download (${status}). Use an address that needs no sign-in.`;
    return new AnalysisError('download_forbidden', message, { retryable: false });
  }
  return failed(`The server answered ${status}`, TRANSIENT_STATUSES.has(status));
}

function asDownloadError(error: unknown, limits: SourceLimits): unknown {
  if (error instanceof FetchForbidden) {
    const message = 'This address cannot be used. Give a public http or https address.';
    return new AnalysisError('download_forbidden', message, { retryable: false, cause: error });
  }
  if (error instanceof AppError && error.code === 'storage_quota_exceeded')
    return new AnalysisError('too_large', error.message, { retryable: false, cause: error });
  if (error instanceof AppError && error.code === 'storage_full')
    return new AnalysisError('internal', error.message, { retryable: true, cause: error });
  if (!(error instanceof FetchFailed)) return error;
  if (error.reason === 'too_large') return tooLarge(limits);
  return failed(error.message, TRANSIENT_FAILURES.has(error.reason), error);
}

function failed(what: string, retryable: boolean, cause?: unknown): AnalysisError {
  const message = `${what}. Check that the address leads straight to an audio file.`;
  return new AnalysisError('download_failed', message, { retryable, cause });
}

function tooLarge(limits: SourceLimits): AnalysisError {
  const message = `The file is larger than ${formatBytes(limits.bytesMax)}. Use a shorter or compressed one.`;
  return new AnalysisError('too_large', message, { retryable: false });
}
