import { setImmediate as nextTurn } from 'node:timers/promises';
import fastify from 'fastify';
import { afterAll, expect, it } from 'vitest';
import type { Context } from '../context.ts';
import type { Raw } from '../http/implement.ts';
import { until } from '../test/until.ts';
import { mcpRoutes } from './routes.ts';

/** The route over HTTP, beside a stand-in for the service: a job that never ends, whose reads are counted by API key. */
const { handle } = mcpRoutes[0]!;
const readCounts = new Map<unknown, number>();
const readCountsAtClose = new Map<unknown, number>();

// fetch opens connections in advance; closing would wait for them.
const app = fastify({ forceCloseConnections: true });
app.post('/mcp', async (request, reply) => {
  const key = request.headers['x-api-key'];
  reply.raw.once('close', () => readCountsAtClose.set(key, readCountOf(key)));
  const input = { params: {}, query: {}, headers: {}, body: request.body } as Parameters<typeof handle>[1];
  const answer = await handle({} as Context, input, { request, reply } as unknown as Raw);
  return reply
    .code(answer.status)
    .headers(answer.headers ?? {})
    .send(answer.body);
});
app.get('/v1/analyses/:id', async ({ headers }, reply) => {
  // Lets the server notice that a client has left.
  await nextTurn();
  readCounts.set(headers['x-api-key'], readCountOf(headers['x-api-key']) + 1);
  const job = { id: 'job_1', status: 'queued', progress: 0, file_name: null, error: null };
  return reply.header('preference-applied', 'wait=2').send(job);
});
const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/mcp`;
afterAll(() => app.close());

function readCountOf(key: unknown): number {
  return readCounts.get(key) ?? 0;
}

const BOTH = 'application/json, text/event-stream';
type Call = { key: string; accept?: string; waitSeconds?: number; hasToken?: boolean };

/** Calls get_result. `leave` closes the connection. */
function callTool({ key, accept = BOTH, waitSeconds = 0, hasToken = false }: Call) {
  const left = new AbortController();
  const params = {
    name: 'get_result',
    arguments: { id: 'job_1', wait_seconds: waitSeconds },
    ...(hasToken ? { _meta: { progressToken: 1 } } : {}),
  };
  const response = fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key, accept },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    signal: left.signal,
  });
  const ended = response.then((one) => one.text()).catch(() => null);
  return {
    response,
    ended,
    leave: async () => {
      left.abort();
      await ended;
    },
  };
}

it.each([
  ['is streamed to a client that requests progress and accepts a stream', true, BOTH, 'text/event-stream'],
  ['is JSON for a client that requests progress and accepts only JSON', true, 'application/json', 'json'],
  ['is JSON for a client that requests no progress', false, BOTH, 'json'],
])('an answer %s', async (_, hasToken, accept, type) => {
  const { response, ended } = callTool({ key: 'reader', hasToken, accept });
  const { headers } = await response;
  expect(headers.get('content-type')).toContain(type);
  expect(await ended).toMatch(/"status":"queued"/);
});

it.each([false, true])('a call ends when its client leaves (streamed: %s)', async (hasToken) => {
  const [key, other] = [`leaves ${hasToken}`, `stays ${hasToken}`];
  const leaving = callTool({ key, waitSeconds: 600, hasToken });
  const staying = callTool({ key: other, waitSeconds: 600 });
  await until(() => readCountOf(key) > 1, 'the job is read repeatedly');
  await leaving.leave();
  await until(() => readCountsAtClose.has(key), 'the service has noticed');
  const untilCount = readCountOf(other) + 10;
  await until(() => readCountOf(other) > untilCount, 'the other call has read the job ten more times');
  // One read may have been under way.
  expect(readCountOf(key)).toBeLessThanOrEqual(readCountsAtClose.get(key)! + 1);
  await staying.leave();
});
