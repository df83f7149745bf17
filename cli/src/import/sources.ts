/** Where songs are imported from: a folder of this machine, or a prefix of a bucket. */

import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { findAudioFiles, isAudioName } from '../analyze/find-audio-files.ts';
import { openBucket } from './bucket.ts';

export type Source = {
  /** The path, or `s3://BUCKET/KEY`. */
  name: string;
  fileName: string;
  /** Null where the file cannot be looked at; reading it says why. */
  byteSize: number | null;
  /** Changes with the bytes: the time of the last change in milliseconds, or the ETag. Null: unknown. */
  version: string | null;
  /** The bytes as a file of this machine; `dispose` when they are no longer needed. */
  fetch(): Promise<{ path: string; dispose(): Promise<void> }>;
};

/** `warn` takes a sentence for each file or folder that cannot be read; it is left out. */
export async function* listSources(root: string, warn: (sentence: string) => void): AsyncGenerator<Source> {
  if (root.startsWith('s3://')) yield* listBucket(root);
  else yield* listFolder(root, warn);
}

async function* listFolder(root: string, warn: (sentence: string) => void): AsyncGenerator<Source> {
  for (const path of findAudioFiles([root], { warn })) {
    const file = {
      name: path,
      fileName: basename(path),
      fetch: async () => ({ path, dispose: async () => {} }),
    };
    const found = await stat(path).catch((error: NodeJS.ErrnoException) => error);
    if (!(found instanceof Error)) yield { ...file, byteSize: found.size, version: String(found.mtimeMs) };
    // What was moved away since it was listed is no longer meant.
    else if (found.code !== 'ENOENT') yield { ...file, byteSize: null, version: null };
  }
}

async function* listBucket(root: string): AsyncGenerator<Source> {
  const bucket = openBucket(root);
  for await (const { key, byteSize, etag } of bucket.list()) {
    if (!isAudioName(key)) continue;
    yield {
      name: `s3://${bucket.name}/${key}`,
      fileName: basename(key),
      byteSize,
      version: etag,
      fetch: () => bucket.download(key),
    };
  }
}
