import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { AppError } from '../errors.ts';
import { formatBytes } from './format-bytes.ts';
import type { StoredObject } from './storage.ts';

/**
 * Writes a new file and flushes it to disk, hashing and counting its bytes. Throws as soon as there are more than `bytesMax`. The caller
 * must remove the file after an error.
 */
export async function writeThrough(
  path: string,
  source: AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<StoredObject> {
  const file = await open(path, 'wx', 0o600).catch(rethrowAsFull);
  const hash = createHash('sha256');
  let byteSize = 0;
  try {
    for await (const chunk of source) {
      byteSize += chunk.byteLength;
      if (byteSize > bytesMax) {
        throw new AppError(
          'payload_too_large',
          `The file is larger than the ${formatBytes(bytesMax)} allowed.`,
        );
      }
      hash.update(chunk);
      await writeAll(file, chunk);
    }
    await file.sync();
  } catch (error) {
    rethrowAsFull(error);
  } finally {
    await file.close();
  }
  return { byteSize, sha256: hash.digest('hex') };
}

/** write(2) may write only part of the chunk, for example on a disk that is nearly full. */
async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let rest = chunk; rest.byteLength > 0; ) {
    const { bytesWritten } = await file.write(rest);
    rest = rest.subarray(bytesWritten);
  }
}

/** Throws storage_full for a full disk or an exhausted quota, and any other error unchanged. */
export function rethrowAsFull(error: unknown): never {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error;
  throw new AppError('storage_full', 'The service has no room for this file right now. Try again later.', {
    cause: error,
    retryAfterSeconds: 60,
  });
}
