import type { FastifyReply, FastifyRequest } from 'fastify';

const ALLOWED_HEADERS = [
  'Authorization',
  'X-API-Key',
  'Content-Type',
  'Idempotency-Key',
  'Last-Event-ID',
  'Prefer',
  'If-Match',
  'If-None-Match',
  'X-Request-Id',
].join(', ');
const EXPOSED_HEADERS = [
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'Location',
  'Preference-Applied',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Changed-Count',
  'X-Matched-Count',
  'X-Request-Id',
  'X-Total-Count',
  'X-Total-Count-Relation',
].join(', ');
/** Two hours, the most that Chromium accepts. */
const PREFLIGHT_SECONDS = '7200';

/**
 * Lets pages of the allowed origins read our answers with their own key or token. Access-Control-Allow-Credentials is never sent: a
 * page of another origin must not act as the user whose session cookie the browser holds.
 */
export function createCrossOriginHeaders(allowedOrigins: readonly string[]) {
  const isAllowed = (origin: string | undefined): origin is string =>
    origin !== undefined && (allowedOrigins.includes('*') || allowedOrigins.includes(origin));
  return {
    /** For every answer. */
    add(request: FastifyRequest, reply: FastifyReply): void {
      if (allowedOrigins.length === 0) return;
      reply.header('Vary', 'Origin');
      const { origin } = request.headers;
      if (!isAllowed(origin)) return;
      reply.headers({
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Expose-Headers': EXPOSED_HEADERS,
        'Cross-Origin-Resource-Policy': 'cross-origin',
      });
    },
    /** For the answer to a preflight. */
    addPreflight(request: FastifyRequest, reply: FastifyReply, methods: string): void {
      const { origin, 'access-control-request-method': requestedMethod } = request.headers;
      if (requestedMethod === undefined || !isAllowed(origin)) return;
      reply.headers({
        'Access-Control-Allow-Methods': methods,
        'Access-Control-Allow-Headers': ALLOWED_HEADERS,
        'Access-Control-Max-Age': PREFLIGHT_SECONDS,
      });
    },
  };
}

export type CrossOriginHeaders = ReturnType<typeof createCrossOriginHeaders>;
