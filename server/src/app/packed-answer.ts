import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const gzipBytes = promisify(gzip);
/** Below this the headers cost more than packing saves. */
const PACKED_BYTES_MIN = 1_024;

/**
 * Sends what was read, once: who has it already (If-None-Match) gets 304, and who can unpack it gets it packed. The tag is
 * weak, because it names the content and not its packing. Streams pass as they are.
 */
export async function sendPacked(
  request: FastifyRequest,
  reply: FastifyReply,
  body: unknown,
): Promise<FastifyReply> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return reply.send(body);
  const bytes = bytesOf(body);
  if (bytes === null) return reply.send(body);
  const tag = `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;
  reply.header('ETag', tag);
  if (hasTag(request.headers['if-none-match'], tag)) {
    reply.removeHeader('content-type');
    return reply.code(304).send();
  }
  addVary(reply, 'Accept-Encoding');
  if (bytes.length < PACKED_BYTES_MIN || !takesGzip(request)) return reply.send(bytes);
  return reply.header('Content-Encoding', 'gzip').send(await gzipBytes(bytes));
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
  const opaque = tag.slice(2);
  return given.trim() === '*' || given.split(',').some((one) => one.trim().replace(/^W\//, '') === opaque);
}

function takesGzip(request: FastifyRequest): boolean {
  const given = String(request.headers['accept-encoding'] ?? '');
  return /(^|,)\s*(gzip|\*)\s*(?!;\s*q=0(\.0*)?\s*(,|$))/i.test(given);
}

function addVary(reply: FastifyReply, name: string): void {
  const already = reply.getHeader('Vary');
  reply.header('Vary', already === undefined ? name : `${already}, ${name}`);
}
