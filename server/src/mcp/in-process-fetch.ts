import type { FastifyRequest } from 'fastify';

/** The headers that authenticate. No others of the outer request are passed on. */
const CREDENTIALS = ['authorization', 'x-api-key', 'cookie', 'origin', 'host', 'sec-fetch-site'] as const;

/**
 * A fetch to our own routes within the process, with the credentials of `request`. Every call passes the route's own authentication,
 * scopes, limits and separation of workspaces.
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
    const answer = await request.server.inject({
      method: (init.method ?? 'GET') as 'GET' | 'POST' | 'DELETE',
      url: `${pathname}${search}`,
      headers: { ...(init.headers as Record<string, string>), ...credentials },
      payload: typeof init.body === 'string' ? init.body : undefined,
      remoteAddress: request.ip,
    });
    const headers = Object.entries(answer.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    const empty = answer.statusCode === 204 || answer.statusCode === 304;
    return new Response(empty ? null : new Uint8Array(answer.rawPayload), {
      status: answer.statusCode,
      headers,
    });
  };
}
