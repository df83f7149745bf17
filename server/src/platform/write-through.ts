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
  const file = await open(path, 'wx', 0o600);
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
    throw isOutOfSpace(error) ? storageFull(error) : error;
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

function isOutOfSpace(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}

function storageFull(cause: unknown): AppError {
  return new AppError('storage_full', 'The service has no room for this file right now. Try again later.', {
    cause,
    retryAfterSeconds: 60,
  });
}
