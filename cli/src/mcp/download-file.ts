import { createWriteStream } from 'node:fs';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { safeFileName } from '@earshot/exports';
import { withDeadline } from '@earshot/sdk';
import { explainFetchFailure } from '../explain-fetch-failure.ts';

/** About 47 minutes of CD-quality WAV. */
const BYTES_MAX = 500_000_000;
/** At 13 Mbit/s, as long as the largest file takes. */
const TIMEOUT_MS = 5 * 60_000;
/** What follows the last dot of a name is kept when the name is cut, if with its dot it is at most this long: then it is an extension. */
const EXTENSION_CHARACTERS_MAX = 10;

/** Downloads one file into `folder` and returns its path. */
export function downloadFile(
  url: string,
  folder: string,
  signal: AbortSignal,
  bytesMax = BYTES_MAX,
): Promise<string> {
  return withDeadline(TIMEOUT_MS, (limited) => download(url, folder, limited, bytesMax), signal);
}

async function download(url: string, folder: string, signal: AbortSignal, bytesMax: number): Promise<string> {
  const fail = (error: Error): never => {
    signal.throwIfAborted();
    throw new Error(`${url} could not be fetched: ${explainFetchFailure(error)}`, { cause: error });
  };
  const response = await fetch(url, { signal }).catch(fail);
  if (!response.ok || !response.body) {
    // An unread body would hold its connection until garbage collection.
    await response.body?.cancel();
    throw new Error(`${url} answered ${response.status}.`);
  }
  const path = join(folder, fileNameOf(url) ?? 'audio');
  await pipeline(
    readBody(response.body as ReadableStream<Uint8Array>, fail),
    async function* (chunks: AsyncIterable<Uint8Array>) {
      let byteSize = 0;
      for await (const chunk of chunks) {
        byteSize += chunk.length;
        if (byteSize > bytesMax) throw new Error(`${url} is larger than ${bytesMax / 1e6} MB.`);
        yield chunk;
      }
    },
    createWriteStream(path),
  );
  return path;
}

async function* readBody(body: ReadableStream<Uint8Array>, onBroken: (error: Error) => never) {
  try {
    yield* body;
  } catch (error) {
    onBroken(error as Error);
  }
}

/** The last part of the URL's path as a name valid on every file system; null when there is none. */
export function fileNameOf(url: string): string | null {
  const name = decode(new URL(url).pathname.split('/').at(-1)!);
  if (/^\.*$/.test(name)) return null;
  const extension = extname(name);
  if (extension.length > EXTENSION_CHARACTERS_MAX) return safeFileName(name);
  return safeFileName(name.slice(0, name.length - extension.length)) + safeFileName(extension);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
