import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/**
 * How long a client that was answered early may keep sending its body. Closing at once could reset the connection before it reads the
 * answer.
 */
const LINGER_MS = 2_000;
/** Long enough for a mobile connection to stall and recover. */
const RATE_CHECK_MS = 30_000;
/** At this rate a song of 5 MB takes five minutes; a slower line is not worth an open connection. */
const BYTES_PER_SECOND_MIN = 16 * 1024;

/**
 * No client may hold a connection by sending slowly. Headers and small bodies have their own time limits; the two other cases are a
 * body that is still arriving after its request was answered (here), and a slow upload (watchUploadRate).
 */
export function closeLingeringRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request) => {
    const { raw } = request;
    if (!hasBody(raw) || raw.complete || raw.destroyed) return;
    raw.resume();
    const timer = setTimeout(() => raw.destroy(), LINGER_MS);
    raw.once('close', () => clearTimeout(timer));
    raw.once('end', () => clearTimeout(timer));
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Aborts an upload that averages less than BYTES_PER_SECOND_MIN over an interval. */
export function watchUploadRate(request: IncomingMessage): void {
  let previousBytes = request.socket.bytesRead;
  const timer = setInterval(() => {
    const { bytesRead } = request.socket;
    const tooSlow = bytesRead - previousBytes < (BYTES_PER_SECOND_MIN * RATE_CHECK_MS) / 1000;
    previousBytes = bytesRead;
    if (!request.complete && tooSlow) request.destroy(new Error('The upload was too slow'));
  }, RATE_CHECK_MS);
  const stop = () => clearInterval(timer);
  request.once('close', stop);
  request.once('end', stop);
}
