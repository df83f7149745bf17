import { createWriteStream } from 'node:fs';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { safeFileName } from '@earshot/exports';
import { withDeadline } from '@earshot/sdk';

/** Chosen: three quarters of an hour of WAV, and as long as an assistant may still wait. */
const BYTES_MAX = 500_000_000;
const TIMEOUT_MS = 5 * 60_000;
/** Up to this, what follows the last point of a name is its ending, which stays whole when a long name is cut. */
const ENDING_CHARACTERS_MAX = 10;

/** Fetches one file into `folder` and answers with its path. */
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
    throw new Error(`${url} could not be fetched: ${reasonOf(error)}`, { cause: error });
  };
  const response = await fetch(url, { signal }).catch(fail);
  if (!response.ok || !response.body) {
    // Unread it would hold its connection until the garbage collector comes by.
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
        if (byteSize > bytesMax) throw new Error(`${url} has more than ${bytesMax / 1e6} MB.`);
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

/** A name with several addresses, such as localhost, fails with an AggregateError: without a message, with a code. */
function reasonOf(error: Error): string {
  const cause = (error.cause ?? error) as NodeJS.ErrnoException;
  return cause.message || (cause.code ?? error.message);
}

/** What the address calls it, as a name that every file system takes; null when it ends in no name. */
export function fileNameOf(url: string): string | null {
  const name = decode(new URL(url).pathname.split('/').at(-1)!);
  if (/^\.*$/.test(name)) return null;
  const ending = extname(name);
  if (ending.length > ENDING_CHARACTERS_MAX) return safeFileName(name);
  return safeFileName(name.slice(0, name.length - ending.length)) + safeFileName(ending);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
