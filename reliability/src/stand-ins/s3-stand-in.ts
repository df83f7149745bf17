import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Random } from '../random.ts';
import { listenOnLoopback } from './listen.ts';

const BUCKET = 'fire';
const SHA256_METADATA = 'x-amz-meta-sha256';

/** What the store may do with a request, and how often each is drawn relative to the others. `OF_READS` affect reads only. */
const FAULTS = {
  serve: 8,
  'internal error': 1,
  'slow down': 1,
  /** The connection is reset before the request is processed. */
  'reset before': 1,
  /** The connection is reset after the request is processed, before the answer. */
  'reset after': 1,
  'cut short': 1,
  /** The full length, with other bytes. */
  damaged: 1,
};
type Fault = keyof typeof FAULTS;
const OF_READS: readonly Fault[] = ['cut short', 'damaged'];

type StoredObject = { bytes: Buffer; contentType: string; sha256: string | null };

export type S3StandIn = {
  /** For the environment of the service. */
  env: Record<string, string>;
  objects: Map<string, StoredObject>;
  /** How often each fault occurred. */
  faults: Record<string, number>;
  misbehave(): void;
  calm(): void;
  close(): Promise<void>;
};

/**
 * The part of S3 that the scenarios use, in memory: objects are read whole. Signatures are only verified by the real store of
 * deploy/scale-out.
 */
export async function startS3StandIn(random: Random): Promise<S3StandIn> {
  const objects = new Map<string, StoredObject>();
  const faults: Record<string, number> = {};
  let weights: Record<string, number> = { serve: 1 };
  const server = createServer(async (request, response) => {
    const body = await request.toArray().then(Buffer.concat, () => null);
    if (body === null) return;
    const drawn = random.weighted(weights) as Fault;
    const reply = drawn === 'reset before' ? null : (refusalOf(drawn) ?? replyTo(objects, request, body));
    const fault = reply && !canSuffer(drawn, reply, request) ? 'serve' : drawn;
    if (fault !== 'serve') faults[fault] = (faults[fault] ?? 0) + 1;
    if (reply) write(reply, fault, response);
    else request.socket.resetAndDestroy();
  });
  const { url, close } = await listenOnLoopback(server);
  return {
    env: {
      S3_ENDPOINT: url,
      S3_BUCKET: BUCKET,
      S3_ACCESS_KEY_ID: 'fire',
      S3_SECRET_ACCESS_KEY: 'fire-and-water',
    },
    objects,
    faults,
    misbehave() {
      weights = FAULTS;
    },
    calm() {
      weights = { serve: 1 };
    },
    close,
  };
}

type Reply = { status: number; headers?: Record<string, string>; bytes?: Buffer };

function canSuffer(
  fault: Fault,
  { status, headers = {}, bytes }: Reply,
  { method }: IncomingMessage,
): boolean {
  if (!OF_READS.includes(fault)) return true;
  if (method !== 'GET' || status !== 200) return false;
  // Without a stored hash, the service could not notice the damage.
  return fault === 'cut short' ? bytes !== undefined && bytes.length > 1 : SHA256_METADATA in headers;
}

function refusalOf(fault: Fault): Reply | null {
  if (fault === 'internal error') return refusal(500, 'InternalError');
  return fault === 'slow down' ? refusal(503, 'SlowDown') : null;
}

function replyTo(objects: Map<string, StoredObject>, request: IncomingMessage, body: Buffer): Reply {
  const url = new URL(request.url ?? '', 'http://store');
  const key = decodeURIComponent(url.pathname.slice(BUCKET.length + 2));
  const signed = request.headers.authorization !== undefined || url.searchParams.has('X-Amz-Signature');
  if (!signed) return refusal(403, 'AccessDenied');
  if (request.method === 'PUT') return put(objects, key, request, body);
  if (request.method === 'DELETE') {
    objects.delete(key);
    return { status: 204 };
  }
  const found = objects.get(key);
  if (!found) return { status: 404 };
  const headers: Record<string, string> = { 'content-type': found.contentType };
  if (found.sha256 !== null) headers[SHA256_METADATA] = found.sha256;
  return { status: 200, headers, bytes: found.bytes };
}

function put(
  objects: Map<string, StoredObject>,
  key: string,
  { headers }: IncomingMessage,
  bytes: Buffer,
): Reply {
  if (headers['if-none-match'] === '*' && objects.has(key)) return { status: 412 };
  const claimed = String(headers['x-amz-content-sha256']);
  const actual = createHash('sha256').update(bytes).digest('hex');
  if (/^[0-9a-f]{64}$/.test(claimed) && claimed !== actual) return refusal(400, 'XAmzContentSHA256Mismatch');
  const sha256 = headers[SHA256_METADATA];
  objects.set(key, {
    bytes,
    contentType: headers['content-type'] ?? 'application/octet-stream',
    sha256: typeof sha256 === 'string' ? sha256 : null,
  });
  return { status: 200 };
}

function write(reply: Reply, fault: Fault, response: ServerResponse): void {
  const { status, headers = {}, bytes = Buffer.alloc(0) } = reply;
  if (fault === 'reset after') return void response.req.socket.resetAndDestroy();
  response.writeHead(status, { ...headers, 'content-length': String(bytes.length) });
  if (response.req.method === 'HEAD') response.end();
  else if (fault === 'cut short')
    response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
  else if (fault === 'damaged') response.end(Buffer.alloc(bytes.length, 'X'));
  else response.end(bytes);
}

function refusal(status: number, code: string): Reply {
  return { status, bytes: Buffer.from(`<Error><Code>${code}</Code></Error>`) };
}
