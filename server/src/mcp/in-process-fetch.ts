import type { FastifyRequest } from 'fastify';

/** Headers that authentication reads. No others of the outer request are passed on. */
const CREDENTIALS = ['authorization', 'x-api-key', 'cookie', 'origin', 'host', 'sec-fetch-site'] as const;

/**
 * A `fetch` that calls this server's routes inside the process, with the credentials of `request`. Every call is subject to the route's
 * authentication, scopes, rate limits and workspace.
 */
export function createInProcessFetch(request: FastifyRequest): typeof fetch {
  const credentials = Object.fromEntries(
    CREDENTIALS.flatMap((name) => {
      const value = request.headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
  return async (input, init = {}) => {
    const { pathname, search } = new URL(String(input));
    init.signal?.throwIfAborted();
    const response = await request.server.inject({
      method: (init.method ?? 'GET') as 'GET' | 'POST' | 'DELETE',
      url: `${pathname}${search}`,
      headers: { ...(init.headers as Record<string, string>), ...credentials },
      payload: typeof init.body === 'string' ? init.body : undefined,
      remoteAddress: request.ip,
    });
    const headers = Object.entries(response.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    // The constructor refuses a body for these.
    const isEmpty = response.statusCode === 204 || response.statusCode === 304;
    return new Response(isEmpty ? null : new Uint8Array(response.rawPayload), {
      status: response.statusCode,
      headers,
    });
  };
}
