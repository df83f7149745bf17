/** Lists the songs to import: from a folder of this machine, or a prefix of a bucket. */

import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { findAudioFiles, isAudioName } from '../analyze/find-audio-files.ts';
import { openBucket } from './bucket.ts';

export type Source = {
  /** The path, or `s3://BUCKET/KEY`. */
  name: string;
  fileName: string;
  /** Null when `stat` fails; reading the file will report why. */
  byteSize: number | null;
  /** Changes with the bytes: the modification time in milliseconds, or the ETag. Null when unknown. */
  version: string | null;
  /** Makes the bytes available as a local file, which `dispose` removes if it was downloaded. */
  fetch(): Promise<{ path: string; dispose(): Promise<void> }>;
};

/** `warn` gets a sentence for each file or folder that cannot be read and is skipped. */
export async function* listSources(root: string, warn: (sentence: string) => void): AsyncGenerator<Source> {
  if (root.startsWith('s3://')) yield* listBucket(root);
  else yield* listFolder(root, warn);
}

async function* listFolder(root: string, warn: (sentence: string) => void): AsyncGenerator<Source> {
  for (const path of findAudioFiles([root], { exceptFolder: null, warn })) {
    const file = {
      name: path,
      fileName: basename(path),
      fetch: async () => ({ path, dispose: async () => {} }),
    };
    const found = await stat(path).catch((error: NodeJS.ErrnoException) => error);
    if (!(found instanceof Error)) yield { ...file, byteSize: found.size, version: String(found.mtimeMs) };
    // Deleted or moved since the listing: skipped.
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
