import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { tagOf } from '../http/entity-tag.ts';

const gzipBytes = promisify(gzip);
/** What fits two packets arrives no sooner for being packed, and packing a job takes a tenth of its read (bench:service). */
const PACKED_BYTES_MIN = 2_048;
/** Up to this it is packed sooner than a thread would be told to: 0.06 ms against 0.19 for a list of 50 (bench:service). */
const PACKED_AT_ONCE_BYTES_MAX = 65_536;
/** A tenth larger than by the default, in two thirds of the time. */
const GZIP_LEVEL = 3;

/**
 * Sends what was read, once: who has it already (If-None-Match) gets 304, and who can unpack it gets it packed. The tag is
 * weak, because it names the content and not its packing. A tag that the route has set itself stays: it names a version to send back
 * as If-Match, and the content may change without it. Streams pass as they are.
 */
export async function sendPacked(
  request: FastifyRequest,
  reply: FastifyReply,
  body: unknown,
  givenTag?: string,
): Promise<FastifyReply> {
  if (!isRead(request)) return reply.send(body);
  const bytes = bytesOf(body);
  if (bytes === null) return reply.send(body);
  const made = madeOf.get(bytes) ?? {};
  madeOf.set(bytes, made);
  if (!reply.hasHeader('ETag')) {
    made.tag ??= givenTag ?? tagOf(bytes);
    const { tag } = made;
    if (isKnown(request, tag)) return answerKnown(reply, tag);
    reply.header('ETag', tag);
  }
  addVary(reply, 'Accept-Encoding');
  if (bytes.length < PACKED_BYTES_MIN || !takesGzip(request)) return reply.send(bytes);
  made.packed ??= pack(bytes);
  return reply.header('Content-Encoding', 'gzip').send(await made.packed);
}

/**
 * A document that its route keeps as bytes is hashed and packed for the first who asks, and for nobody after: a megabyte of it would cost
 * every stranger's request a hash and a packing. What was made for one request goes with it.
 */
const madeOf = new WeakMap<Buffer, { tag?: string; packed?: Promise<Buffer> }>();

async function pack(bytes: Buffer): Promise<Buffer> {
  return bytes.length <= PACKED_AT_ONCE_BYTES_MAX
    ? gzipSync(bytes, { level: GZIP_LEVEL })
    : gzipBytes(bytes, { level: GZIP_LEVEL });
}

/** Whether the caller has what the tag names. */
export function isKnown(request: FastifyRequest, tag: string): boolean {
  return isRead(request) && hasTag(request.headers['if-none-match'], tag);
}

export function answerKnown(reply: FastifyReply, tag: string): FastifyReply {
  reply.removeHeader('content-type');
  return reply.code(304).header('ETag', tag).send();
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Null for a stream and for nothing. */
function bytesOf(body: unknown): Buffer | null {
  if (body === null || body === undefined) return null;
  if (Buffer.isBuffer(body)) return body;
  if (typeof body === 'string') return Buffer.from(body);
  const isStream = typeof body === 'object' && 'pipe' in body;
  return isStream ? null : Buffer.from(JSON.stringify(body));
}

function hasTag(given: string | undefined, tag: string): boolean {
  if (given === undefined) return false;
  const opaque = tag.replace(/^W\//, '');
  return given.trim() === '*' || given.split(',').some((one) => one.trim().replace(/^W\//, '') === opaque);
}

export function takesGzip(request: FastifyRequest): boolean {
  const given = String(request.headers['accept-encoding'] ?? '');
  return /(^|,)\s*(gzip|\*)(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(given);
}

export function addVary(reply: FastifyReply, name: string): void {
  const already = reply.getHeader('Vary');
  reply.header('Vary', already === undefined ? name : `${already}, ${name}`);
}
