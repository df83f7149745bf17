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

/** The audio as a local file, until `release`. */
export type Source = { path: string; sha256: string; release(): Promise<void> };

/** What was uploaded, or downloaded by an earlier attempt; otherwise the download itself. */
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
  try {
    const file = await ctx.storage.openFile(object.key);
    return {
      path: file.path,
      sha256: object.sha256 ?? (await sha256OfFile(file.path)),
      release: () => file.release(),
    };
  } catch (error) {
    throw error instanceof ObjectMissing ? sourceGone(error) : error;
  }
}

function sourceGone(cause?: unknown): AnalysisError {
  return new AnalysisError('no_audio', 'The uploaded file is not there any more. Upload it again.', {
    retryable: false,
    cause,
  });
}

/** Only for what went straight to the object store: everything else is hashed on its way in. */
async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
