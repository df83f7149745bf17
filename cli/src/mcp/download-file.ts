import { createWriteStream } from 'node:fs';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { withDeadline } from '@earshot/sdk';

const BYTES_MAX = 500_000_000;
const TIMEOUT_MS = 5 * 60_000;

/** Fetches one file into `folder` and answers with its path. */
export function downloadFile(url: string, folder: string, signal: AbortSignal): Promise<string> {
  return withDeadline(TIMEOUT_MS, (limited) => download(url, folder, limited), signal);
}

async function download(url: string, folder: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, { signal });
  if (!response.ok || !response.body) throw new Error(`${url} answered ${response.status}.`);
  const path = join(folder, basename(new URL(url).pathname).replaceAll(/[^\w.-]/g, '_') || 'audio');
  await pipeline(
    Readable.fromWeb(response.body as ReadableStream),
    async function* (chunks: AsyncIterable<Buffer>) {
      let byteSize = 0;
      for await (const chunk of chunks) {
        byteSize += chunk.length;
        if (byteSize > BYTES_MAX) throw new Error(`${url} has more than ${BYTES_MAX / 1e6} MB.`);
        yield chunk;
      }
    },
    createWriteStream(path),
  );
  return path;
}
