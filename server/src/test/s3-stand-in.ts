import { once } from 'node:events';
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hmacSha256, sha256Hex } from '../platform/crypto.ts';

export type S3StandIn = {
  endpoint: string;
  objects: Map<string, { bytes: Buffer; headers: Record<string, string>; modifiedAt: Date }>;
  /**
   * The next responses, in order: a status; the connection cut before or after the request takes effect; a response without Content-Length;
   * null for the normal response.
   */
  nextAnswers: (number | 'cut before' | 'cut after' | 'without length' | null)[];
  requests: string[];
  close(): Promise<void>;
};

export const S3_KEYS = {
  accessKeyId: 'AKTEST',
  secretAccessKey: 'the-secret-of-the-stand-in',
  region: 'eu-test-1',
};

/**
 * Implements the part of S3 that the service and the CLI use. It checks every request with its own implementation of AWS Signature
 * Version 4: signature in header or query, hash of the body, expiry.
 */
export async function startS3StandIn(ownPort = 0): Promise<S3StandIn> {
  const objects: S3StandIn['objects'] = new Map();
  const nextAnswers: S3StandIn['nextAnswers'] = [];
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    requests.push(`${request.method} ${request.url?.split('?')[0]}`);
    const bytes = Buffer.concat(await request.toArray());
    const answer = nextAnswers.shift() ?? null;
    const problem = findSignatureProblem(request, bytes);
    if (answer === 'cut before') request.socket.destroy();
    else if (typeof answer === 'number') refuse(response, answer, 'SlowDown');
    else if (problem !== null) refuse(response, 403, problem);
    else if (answer === 'cut after') serve(objects, request, cutInstead(request, response), bytes);
    else if (answer === 'without length') serve(objects, request, withoutLength(response), bytes);
    else serve(objects, request, response, bytes);
  });
  server.listen(ownPort, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    objects,
    nextAnswers,
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Few, so that lists in tests have several pages. */
const PAGE_KEYS = 2;

function serve(
  objects: S3StandIn['objects'],
  request: IncomingMessage,
  response: ServerResponse,
  bytes: Buffer,
): void {
  const url = new URL(request.url ?? '/', 'http://stand-in');
  const key = decodeURIComponent(url.pathname.replace(/^\/bucket\//, ''));
  const object = objects.get(key);
  if (url.searchParams.get('list-type') === '2') list(objects, url, response);
  else if (request.method === 'PUT') store(objects, key, request, response, bytes);
  else if (request.method === 'DELETE') {
    objects.delete(key);
    response.writeHead(204).end();
  } else if (object && request.headers.range) {
    const [first = 0, last = 0] = request.headers.range.replace('bytes=', '').split('-').map(Number);
    const part = object.bytes.subarray(first, last + 1);
    response.writeHead(206, { ...object.headers, 'content-length': part.length }).end(part);
  } else if (object) {
    response.writeHead(200, { ...object.headers, 'content-length': object.bytes.length });
    response.end(request.method === 'HEAD' ? undefined : object.bytes);
  } else refuse(response, 404, 'NoSuchKey');
}

function store(
  objects: S3StandIn['objects'],
  key: string,
  request: IncomingMessage,
  response: ServerResponse,
  bytes: Buffer,
): void {
  if (request.headers['if-none-match'] === '*' && objects.has(key)) {
    refuse(response, 412, 'PreconditionFailed');
    return;
  }
  const kept = Object.entries(request.headers).filter(
    ([name]) => name.startsWith('x-amz-meta-') || name === 'content-type',
  );
  objects.set(key, {
    bytes,
    headers: Object.fromEntries(kept) as Record<string, string>,
    modifiedAt: new Date(),
  });
  response.end();
}

/** Cuts the connection instead of responding. */
function cutInstead(request: IncomingMessage, response: ServerResponse): ServerResponse {
  response.end = () => {
    request.socket.destroy();
    return response;
  };
  return response;
}

/** Omits Content-Length, as a compressing proxy in front of the store may. */
function withoutLength(response: ServerResponse): ServerResponse {
  const writeHead = response.writeHead.bind(response);
  response.writeHead = ((status: number, { 'content-length': _, ...headers }: OutgoingHttpHeaders) =>
    writeHead(status, headers)) as typeof response.writeHead;
  return response;
}

function list(objects: S3StandIn['objects'], url: URL, response: ServerResponse): void {
  const prefix = url.searchParams.get('prefix') ?? '';
  const after = url.searchParams.get('continuation-token') ?? '';
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  const page = keys.slice(0, PAGE_KEYS);
  const isEncoded = url.searchParams.get('encoding-type') === 'url';
  const encodeKey = (key: string) => (isEncoded ? encodeURIComponent(key).replaceAll('%20', '+') : key);
  const entries = page.map((key) => {
    const { bytes, modifiedAt } = objects.get(key) as { bytes: Buffer; modifiedAt: Date };
    const etag = `<ETag>&quot;${sha256Hex(bytes)}&quot;</ETag>`;
    return `<Contents><Key>${encodeKey(key)}</Key>${etag}<LastModified>${modifiedAt.toISOString()}</LastModified><Size>${bytes.length}</Size></Contents>`;
  });
  const token =
    keys.length > PAGE_KEYS ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  const encoding = isEncoded ? '<EncodingType>url</EncodingType>' : '';
  response.end(`<ListBucketResult>${encoding}${entries.join('')}${token}</ListBucketResult>`);
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);
}

function findSignatureProblem(request: IncomingMessage, bytes: Buffer): string | null {
  const url = new URL(request.url ?? '/', 'http://stand-in');
  const presigned = url.searchParams.has('X-Amz-Signature');
  const authorization = request.headers.authorization ?? '';
  const part = (name: string) => new RegExp(`${name}=([^,\\s]+)`).exec(authorization)?.[1] ?? '';
  const claimed = presigned
    ? {
        credential: url.searchParams.get('X-Amz-Credential') ?? '',
        signedHeaders: url.searchParams.get('X-Amz-SignedHeaders') ?? '',
        signature: url.searchParams.get('X-Amz-Signature') ?? '',
        date: url.searchParams.get('X-Amz-Date') ?? '',
        payloadHash: 'UNSIGNED-PAYLOAD',
      }
    : {
        credential: part('Credential'),
        signedHeaders: part('SignedHeaders'),
        signature: part('Signature'),
        date: String(request.headers['x-amz-date']),
        payloadHash: String(request.headers['x-amz-content-sha256']),
      };
  if (presigned) {
    const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(claimed.date) ?? [];
    const signedAtMs = Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`);
    if (Date.now() > signedAtMs + Number(url.searchParams.get('X-Amz-Expires')) * 1000) return 'AccessDenied';
  } else if (claimed.payloadHash !== sha256Hex(bytes)) return 'XAmzContentSHA256Mismatch';
  const [accessKeyId, day = '', region = ''] = claimed.credential.split('/');
  if (accessKeyId !== S3_KEYS.accessKeyId || region !== S3_KEYS.region) return 'InvalidAccessKeyId';
  if (!claimed.signedHeaders.split(';').includes('host')) return 'SignatureDoesNotMatch';
  return claimed.signature === sign(request, url, { ...claimed, day }) ? null : 'SignatureDoesNotMatch';
}

function sign(
  request: IncomingMessage,
  url: URL,
  claimed: { signedHeaders: string; date: string; payloadHash: string; day: string },
): string {
  const encode = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const query = [...url.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
  const names = claimed.signedHeaders.split(';');
  const headers = names.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`).join('');
  const canonical = [
    request.method,
    url.pathname,
    query,
    headers,
    claimed.signedHeaders,
    claimed.payloadHash,
  ];
  const scope = `${claimed.day}/${S3_KEYS.region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', claimed.date, scope, sha256Hex(canonical.join('\n'))].join('\n');
  const key = [claimed.day, S3_KEYS.region, 's3', 'aws4_request'].reduce<string | Buffer>(
    hmacSha256,
    `AWS4${S3_KEYS.secretAccessKey}`,
  );
  return hmacSha256(key, text).toString('hex');
}
