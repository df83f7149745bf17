import { createWriteStream } from 'node:fs';
import { extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { withDeadline } from '@earshot/sdk';

const BYTES_MAX = 500_000_000;
const TIMEOUT_MS = 5 * 60_000;
/** File systems take 255 bytes. */
const NAME_BYTES_MAX = 200;

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
  const response = await fetch(url, { signal }).catch((error: Error) => {
    signal.throwIfAborted();
    throw new Error(
      `${url} could not be fetched: ${(error.cause as Error | undefined)?.message ?? error.message}`,
    );
  });
  if (!response.ok || !response.body) throw new Error(`${url} answered ${response.status}.`);
  const path = join(folder, fileNameOf(url) ?? 'audio');
  await pipeline(
    Readable.fromWeb(response.body as ReadableStream),
    async function* (chunks: AsyncIterable<Buffer>) {
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

/** What the address calls it, as a name that every file system takes; null when it ends in no name. */
export function fileNameOf(url: string): string | null {
  const last = new URL(url).pathname.split('/').at(-1)!;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Windows refuses them in names
  const name = decode(last).replaceAll(/[\u0000-\u001f<>:"/\\|?*]/g, '_');
  if (/^\.*$/.test(name)) return null;
  const ending = extname(name);
  const stem = name.slice(0, name.length - ending.length);
  const { read } = new TextEncoder().encodeInto(stem, new Uint8Array(NAME_BYTES_MAX));
  return `${stem.slice(0, read)}${ending}`;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
