import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { AwsV4Signer } from 'aws4fetch';
import type { S3Config } from '../config.ts';
import { sha256Hex } from './crypto.ts';
import { type HttpAnswer, sendHttpRequest } from './http-request.ts';
import { ObjectDamaged, withRetries } from './s3-retries.ts';
import {
  alreadyStored,
  assertStorageKey,
  ObjectMissing,
  type Storage,
  type StoredObject,
} from './storage.ts';
import { openTemporaryFolder } from './temporary-folder.ts';
import { writeThrough } from './write-through.ts';

/** For connecting and for silence; a store that takes longer is tried again (s3-retries.ts). */
const TIMEOUT_MS = 30_000;
const SHA256_METADATA = 'x-amz-meta-sha256';
const EMPTY_SHA256 = sha256Hex('');

/**
 * Stores objects in anything with the S3 API. Uploads go through a file in `temporary`, because S3 needs length and hash before the first
 * byte. The hash is stored with the object and checked by openFile.
 */
export async function createS3Storage(config: S3Config, temporary: string): Promise<Storage> {
  await openTemporaryFolder(temporary);
  const temporaryPath = () => join(temporary, randomBytes(16).toString('hex'));
  const support: StoreSupport = { conditionalPut: true };

  return {
    async put(key, source, options) {
      assertStorageKey(key);
      const path = temporaryPath();
      try {
        const stored = await writeThrough(path, source, options.bytesMax);
        await upload(config, support, { key, path, stored, contentType: options.contentType });
        return stored;
      } finally {
        await rm(path, { force: true });
      }
    },
    async openFile(key) {
      const path = temporaryPath();
      const byteSize = await withRetries(() => download(config, key, path)).catch(async (error: unknown) => {
        await rm(path, { force: true });
        throw error;
      });
      return { path, byteSize, release: () => rm(path, { force: true }) };
    },
    async read(key, range) {
      const headers = range ? { range: `bytes=${range.firstByte}-${range.lastByte}` } : undefined;
      const answer = await withRetries(() => send(config, 'GET', urlOf(config, key), { headers }));
      if (answer.status === 404) throw await missing(answer, key);
      return { stream: answer.body, byteSize: lengthOf(answer) };
    },
    async stat(key) {
      const answer = await withRetries(() => send(config, 'HEAD', urlOf(config, key)));
      answer.discard();
      return answer.status === 404 ? null : { byteSize: lengthOf(answer) };
    },
    async delete(key) {
      const answer = await withRetries(() => send(config, 'DELETE', urlOf(config, key)));
      answer.discard();
    },
    presignPut: (key, options) => presign(config, key, options),
  };
}

function urlOf(config: S3Config, key: string): URL {
  assertStorageKey(key);
  return new URL(key, bucketUrl(config));
}

function bucketUrl(config: S3Config): URL {
  const url = new URL(config.endpoint);
  if (config.forcePathStyle) url.pathname = `${url.pathname.replace(/\/$/, '')}/${config.bucket}/`;
  else url.hostname = `${config.bucket}.${url.hostname}`;
  return url;
}

type SendOptions = { headers?: Record<string, string>; path?: string };

/** Sends one signed request. Throws StoreRefused, except for a missing object or one that a PUT must not replace (404, 412). */
async function send(
  config: S3Config,
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE',
  url: URL,
  options: SendOptions = {},
): Promise<HttpAnswer> {
  const { accessKeyId, secretAccessKey, region } = config;
  const headers = { 'x-amz-content-sha256': EMPTY_SHA256, ...options.headers };
  const signer = new AwsV4Signer({
    method,
    url: url.href,
    headers,
    accessKeyId,
    secretAccessKey,
    region,
    service: 's3',
  });
  const signed = await signer.sign();
  const answer = await sendHttpRequest(signed.url, {
    method,
    headers: Object.fromEntries(signed.headers),
    body: options.path === undefined ? undefined : createReadStream(options.path),
    connectTimeoutMs: TIMEOUT_MS,
    idleTimeoutMs: TIMEOUT_MS,
  });
  // The 404 of a PUT is about the bucket.
  if (answer.status < 300 || answer.status === (method === 'PUT' ? 412 : 404)) return answer;
  const body = await text(answer.body);
  const code = /<Code>(\w+)<\/Code>/.exec(body)?.[1] ?? 'unknown';
  throw new StoreRefused(method, answer.status, code);
}

class StoreRefused extends Error {
  readonly statusCode: number;

  constructor(method: string, statusCode: number, code: string) {
    super(`The object store answered ${method} with ${statusCode} (${code})`);
    this.name = 'StoreRefused';
    this.statusCode = statusCode;
  }
}

/** What the store is known to support. Swift's s3api answers 501 to a conditional put. */
type StoreSupport = { conditionalPut: boolean };

async function upload(
  config: S3Config,
  support: StoreSupport,
  {
    key,
    path,
    stored,
    contentType,
  }: { key: string; path: string; stored: StoredObject; contentType: string },
): Promise<void> {
  const { byteSize, sha256 } = stored;
  const headers = {
    'x-amz-content-sha256': sha256,
    [SHA256_METADATA]: sha256,
    'content-type': contentType,
    'content-length': String(byteSize),
  };
  const url = urlOf(config, key);
  // If-None-Match: * refuses to replace an object, in S3 and most compatible stores.
  const put = () =>
    send(config, 'PUT', url, {
      headers: support.conditionalPut ? { ...headers, 'if-none-match': '*' } : headers,
      path,
    });
  // For stores that ignore the condition; no other writer can interfere, because keys are random and used once.
  await withRetries(() => assertAbsent(config, url));
  let tries = 0;
  await withRetries(async () => {
    tries += 1;
    const answer = await put().catch((error: unknown) => {
      if (!support.conditionalPut || !(error instanceof StoreRefused) || error.statusCode !== 501)
        throw error;
      support.conditionalPut = false;
      return put();
    });
    answer.discard();
    // On a retry, the object may be from our own earlier try.
    if (answer.status === 412 && !(tries > 1 && (await isOurs(config, url, sha256)))) throw alreadyStored();
  });
}

async function assertAbsent(config: S3Config, url: URL): Promise<void> {
  const answer = await send(config, 'HEAD', url);
  answer.discard();
  if (answer.status !== 404) throw alreadyStored();
}

/** Whether an earlier try that seemed to fail stored the object. */
async function isOurs(config: S3Config, url: URL, sha256: string): Promise<boolean> {
  const answer = await send(config, 'HEAD', url);
  answer.discard();
  return answer.headers[SHA256_METADATA] === sha256;
}

async function download(config: S3Config, key: string, path: string): Promise<number> {
  await rm(path, { force: true });
  const answer = await send(config, 'GET', urlOf(config, key));
  if (answer.status === 404) throw await missing(answer, key);
  const stored = await writeThrough(path, answer.body, lengthOf(answer));
  const expected = answer.headers[SHA256_METADATA];
  if (expected !== undefined && expected !== stored.sha256) throw new ObjectDamaged(key);
  return stored.byteSize;
}

async function missing(answer: HttpAnswer, key: string): Promise<ObjectMissing> {
  answer.discard();
  return new ObjectMissing(key);
}

function lengthOf(answer: HttpAnswer): number {
  const length = answer.headers['content-length'];
  // Not retried: a store that sends chunks, or a proxy that compresses, would do so again.
  if (length === undefined) {
    answer.discard();
    throw new Error('The object store answered without a content-length');
  }
  return Number(length);
}

async function presign(
  config: S3Config,
  key: string,
  options: { contentType: string; lifetimeSeconds: number },
): Promise<{ url: string; headers: Record<string, string> }> {
  const { accessKeyId, secretAccessKey, region } = config;
  const url = urlOf(config, key);
  url.searchParams.set('X-Amz-Expires', String(options.lifetimeSeconds));
  const headers = { 'content-type': options.contentType };
  // allHeaders also signs the content type.
  const how = { service: 's3', signQuery: true, allHeaders: true };
  const signer = new AwsV4Signer({
    method: 'PUT',
    url: url.href,
    headers,
    accessKeyId,
    secretAccessKey,
    region,
    ...how,
  });
  const signed = await signer.sign();
  return { url: signed.url.href, headers };
}
