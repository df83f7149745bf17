import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** A client that was answered before its body was complete may finish it within this time. Chosen: enough for a bad line. */
const LINGER_MS = 2_000;
/** Both are chosen: the rate of the worst line worth uploading a song over, over a time in which it may stall and recover. */
const RATE_CHECK_MS = 30_000;
const BYTES_PER_SECOND_MIN = 16 * 1024;

/**
 * No client may hold a connection by sending slowly. Headers and small bodies have their own time limits. The two other cases are a
 * body that still arrives after its request was answered (here), and a slow upload (watchUploadRate).
 */
export function cutSlowClients(app: FastifyInstance): void {
  app.addHook('onResponse', async (request) => {
    const { raw } = request;
    if (!hasBody(raw) || raw.complete || raw.readableEnded || raw.destroyed) return;
    raw.resume();
    const timer = setTimeout(() => raw.destroy(), LINGER_MS);
    raw.once('close', () => clearTimeout(timer));
    raw.once('end', () => clearTimeout(timer));
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Ends an upload that brings less than 16 KB/s over half a minute. */
export function watchUploadRate(request: IncomingMessage): void {
  let beforeBytes = request.socket.bytesRead;
  const timer = setInterval(() => {
    const nowBytes = request.socket.bytesRead;
    const tooSlow = nowBytes - beforeBytes < (BYTES_PER_SECOND_MIN * RATE_CHECK_MS) / 1000;
    beforeBytes = nowBytes;
    if (!request.complete && tooSlow) request.destroy(new Error('The upload was too slow'));
  }, RATE_CHECK_MS);
  const stop = () => clearInterval(timer);
  request.once('close', stop);
  request.once('end', stop);
}
