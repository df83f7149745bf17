/**
 * Buckets of S3 and compatible stores (R2, MinIO, Swift, Ceph). Credentials and endpoint come from the environment variables that
 * S3 tools share: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION or AWS_DEFAULT_REGION, AWS_ENDPOINT_URL.
 */

import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ConnectionError, EarshotError } from '@earshot/sdk';
import { AwsClient } from 'aws4fetch';
import { openTemporaryFolder } from '../temporary-folder.ts';
import { UsageError } from '../usage-error.ts';

const REGION_DEFAULT = 'us-east-1';
const EMPTY_SHA256 = createHash('sha256').digest('hex');

/** The store refuses one object: it is archived, deleted, or not ours to read. */
export class ObjectRefused extends Error {
  override readonly name = 'ObjectRefused';
}

export type BucketObject = { key: string; byteSize: number; etag: string | null };

export function openBucket(address: string) {
  const { env } = process;
  const match = /^s3:\/\/([^/]+)\/?(.*)$/.exec(address);
  if (!match) throw new UsageError(`${address} is not a bucket: s3://BUCKET/PREFIX`);
  const [, name, prefix] = match as unknown as [string, string, string];
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (!accessKeyId || !secretAccessKey) {
    throw new UsageError('a bucket needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment');
  }
  const region = env.AWS_REGION || env.AWS_DEFAULT_REGION || REGION_DEFAULT;
  const endpoint = (env.AWS_ENDPOINT_URL || `https://s3.${region}.amazonaws.com`).replace(/\/+$/, '');
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    sessionToken: env.AWS_SESSION_TOKEN,
    region,
    service: 's3',
  });
  const get = (path: string) =>
    client
      .fetch(`${endpoint}/${name}${path}`, { headers: { 'x-amz-content-sha256': EMPTY_SHA256 } })
      .catch((cause: unknown) => {
        throw new ConnectionError(`No answer from ${endpoint}`, { cause });
      });

  /** `fetch` reports a broken connection as a TypeError; other errors come from the disk. */
  const rethrow = (error: unknown): never => {
    if (!(error instanceof TypeError)) throw error;
    throw new ConnectionError(`The connection to ${endpoint} broke`, { cause: error });
  };

  async function* list(): AsyncGenerator<BucketObject> {
    let token: string | null = null;
    do {
      const query = new URLSearchParams({ 'list-type': '2', 'encoding-type': 'url', prefix });
      if (token !== null) query.set('continuation-token', token);
      const page = await get(`?${query}`);
      if (!page.ok) throw new EarshotError(`${address}: ${await readErrorMessage(page)}`);
      const xml = await page.text().catch(rethrow);
      // A captive portal or a wrong endpoint answers as well, which would look like an empty bucket.
      if (!/<ListBucketResult[\s>]/.test(xml))
        throw new EarshotError(`${address}: ${endpoint} did not answer with the list of a bucket`);
      // A store that honours `encoding-type` says so; not every one does.
      const isEncoded = textOf(xml, 'EncodingType') === 'url';
      for (const [, entry] of xml.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)) {
        const written = textOf(entry!, 'Key')!;
        const key = isEncoded ? decodeURIComponent(written.replaceAll('+', ' ')) : written;
        yield { key, byteSize: Number(textOf(entry!, 'Size')), etag: textOf(entry!, 'ETag') };
      }
      token = textOf(xml, 'NextContinuationToken');
    } while (token !== null);
  }

  async function download(key: string) {
    const parts = key.split('/');
    // `fetch` resolves such a part, so that the URL would name another object.
    const relativePart = parts.find((part) => part === '.' || part === '..');
    if (relativePart)
      throw new ObjectRefused(`Its key has a part "${relativePart}", which no URL can contain`);
    const folder = openTemporaryFolder('earshot-import-');
    try {
      const path = join(folder.path, 'object');
      const response = await get(`/${parts.map(encodeURIComponent).join('/')}`);
      if (!response.ok) throw new ObjectRefused(await readErrorMessage(response));
      const body = Readable.fromWeb(response.body as never);
      await pipeline(body, createWriteStream(path, { mode: 0o600 })).catch(rethrow);
      return { path, dispose: folder.dispose };
    } catch (error) {
      await folder.dispose();
      throw error;
    }
  }

  return { name, list, download };
}

const ENTITIES = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' };

/** Null when the element is missing or empty. */
function textOf(xml: string, element: string): string | null {
  const text = new RegExp(`<${element}>([\\s\\S]+?)</${element}>`).exec(xml)?.[1];
  if (text === undefined) return null;
  // In one pass: a decoded & must not begin another entity.
  return text.replace(/&(?:#(\d+|x[\da-fA-F]+)|(quot|apos|lt|gt|amp));/g, (_, code, name) =>
    name ? ENTITIES[name as keyof typeof ENTITIES] : String.fromCodePoint(Number(`0${code}`)),
  );
}

async function readErrorMessage(response: Response): Promise<string> {
  const message = textOf(await response.text().catch(() => ''), 'Message');
  return message ?? `the store answered ${response.status}`;
}
