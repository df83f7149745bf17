import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../../context.ts';
import type { Lease } from '../../jobs/lease.ts';
import { ObjectMissing } from '../../platform/storage.ts';
import { findStoredObject } from '../../storage-objects/storage-objects.ts';
import type { Analysis } from '../analysis.ts';
import type { SourceLimits } from '../source-limits.ts';
import { AnalysisError } from './analysis-error.ts';
import { downloadSource } from './download.ts';

/** The audio as a local file, which exists until `release`. */
export type Source = { path: string; sha256: string; release(): Promise<void> };

/** Opens the stored audio, after downloading it if no earlier attempt has. */
export async function openSource(
  ctx: Context,
  lease: Lease,
  analysis: Analysis,
  limits: SourceLimits,
  signal: AbortSignal,
): Promise<Source> {
  const objectId = analysis.storageObjectId ?? (await downloadSource(ctx, lease, analysis, limits, signal));
  const object = await findStoredObject(ctx.db, objectId);
  if (!object) throw sourceGone();
  const file = await ctx.storage.openFile(object.key).catch((error: unknown) => {
    throw error instanceof ObjectMissing ? sourceGone(error) : error;
  });
  try {
    const sha256 = object.sha256 ?? (await sha256OfFile(file.path, signal));
    return { path: file.path, sha256, release: () => file.release() };
  } catch (error) {
    await file.release();
    throw error;
  }
}

function sourceGone(cause?: unknown): AnalysisError {
  return new AnalysisError('no_audio', 'The audio is no longer available. Send it again.', {
    retryable: false,
    cause,
  });
}

/** For audio that the client put straight into the object store, or whose hash was lost in a crash. */
async function sha256OfFile(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash, { signal });
  return hash.digest('hex');
}
