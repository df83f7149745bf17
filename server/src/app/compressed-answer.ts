import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { tagOf } from '../http/entity-tag.ts';

const gzipBytes = promisify(gzip);
/** An answer of two packets arrives no sooner compressed, and compressing a job takes a tenth of the time of reading it (bench:service). */
const GZIP_BYTES_MIN = 2_048;
/** Up to this size gzipSync is faster than a worker thread: 0.06 ms against 0.19 ms for a list of 50, 25 kB (node:zlib alone). */
const GZIP_SYNC_BYTES_MAX = 65_536;
/** A list of 50 is a tenth larger than at the default level of 6, in two thirds of the time (node:zlib alone). */
const GZIP_LEVEL = 3;

/**
 * Sends a body with an ETag: as 304 to a client that already has it (If-None-Match), and gzipped to a client that accepts gzip. An ETag
 * set by the route is kept and never answered with 304: it names a version for If-Match, and the content may change without it.
 * Streams are sent unchanged.
 */
export async function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  body: unknown,
  givenTag: string | null,
): Promise<FastifyReply> {
  const bytes = isRead(request) ? bytesOf(body) : null;
  if (bytes === null) return reply.send(body);
  const cached = cacheOf.get(bytes) ?? {};
  cacheOf.set(bytes, cached);
  if (!reply.hasHeader('ETag')) {
    cached.tag ??= givenTag ?? tagOf(bytes);
    const { tag } = cached;
    if (isNotModified(request, tag)) return answerNotModified(reply, tag);
    reply.header('ETag', tag);
  }
  addVary(reply, 'Accept-Encoding');
  if (bytes.length < GZIP_BYTES_MIN || !acceptsGzip(request)) return reply.send(bytes);
  cached.gzipped ??= compress(bytes);
  return reply.header('Content-Encoding', 'gzip').send(await cached.gzipped);
}

/**
 * The tag and compressed form of each buffer, so that a document which its route keeps as one buffer is hashed and compressed only
 * once. The entry of a buffer made for one request is garbage-collected with it.
 */
const cacheOf = new WeakMap<Buffer, { tag?: string; gzipped?: Promise<Buffer> }>();

async function compress(bytes: Buffer): Promise<Buffer> {
  return bytes.length <= GZIP_SYNC_BYTES_MAX
    ? gzipSync(bytes, { level: GZIP_LEVEL })
    : gzipBytes(bytes, { level: GZIP_LEVEL });
}

/** Whether the client already has the content that the tag identifies. */
export function isNotModified(request: FastifyRequest, tag: string): boolean {
  const given = request.headers['if-none-match'];
  if (!isRead(request) || given === undefined) return false;
  // If-None-Match compares weakly: by the opaque part alone (RFC 9110, section 13.1.2).
  const opaque = tag.replace(/^W\//, '');
  return given.trim() === '*' || given.split(',').some((one) => one.trim().replace(/^W\//, '') === opaque);
}

export function answerNotModified(reply: FastifyReply, tag: string): FastifyReply {
  reply.removeHeader('content-type');
  return reply.code(304).header('ETag', tag).send();
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Null for a stream and for an empty body. */
function bytesOf(body: unknown): Buffer | null {
  if (body === null || body === undefined) return null;
  if (Buffer.isBuffer(body)) return body;
  if (typeof body === 'string') return Buffer.from(body);
  const isStream = typeof body === 'object' && 'pipe' in body;
  return isStream ? null : Buffer.from(JSON.stringify(body));
}

/** `*` applies only when gzip itself is not listed (RFC 9110, section 12.5.3). */
export function acceptsGzip(request: FastifyRequest): boolean {
  const given = String(request.headers['accept-encoding'] ?? '').toLowerCase();
  const codings = given.split(',').map((coding) => coding.trim());
  const named = (name: string) => codings.find((coding) => coding.split(';')[0]!.trim() === name);
  const coding = named('gzip') ?? named('*');
  return coding !== undefined && !/;\s*q=0(\.0*)?$/.test(coding);
}

export function addVary(reply: FastifyReply, name: string): void {
  const current = reply.getHeader('Vary');
  reply.header('Vary', current === undefined ? name : `${current}, ${name}`);
}
