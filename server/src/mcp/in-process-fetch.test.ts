import fastify from 'fastify';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { createInProcessFetch } from './in-process-fetch.ts';

type Received = { url: string; method: string; headers: Record<string, unknown>; body: unknown; ip: string };
/** What the route /inner has received. */
const received: Received[] = [];
/** What the route /outer does with the fetch for its request, and what that returned. */
let inner: (fetch: typeof globalThis.fetch) => Promise<Response>;
let response: Response;

const app = fastify({ trustProxy: true });
app.all('/inner', ({ url, method, headers, body, ip }, reply) => {
  received.push({ url, method, headers, body, ip });
  return url.includes('empty')
    ? reply.code(204).send()
    : reply.code(201).header('x-made', 'yes').send('done');
});
app.get('/outer', async (request, reply) => {
  response = await inner(createInProcessFetch(request));
  return reply.send('ok');
});
const outer = (headers: Record<string, string> = {}) => app.inject({ url: '/outer', headers });
beforeEach(() => {
  received.length = 0;
});
afterAll(() => app.close());

it('passes on method, query, body, client address and the headers that authenticate, but no others', async () => {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":1}' };
  inner = (fetch) => fetch('http://elsewhere.test/inner?b=2', init);
  const credentials = {
    authorization: 'Bearer key',
    'x-api-key': 'k',
    cookie: 'c',
    origin: 'http://service.test',
    host: 'service.test',
    'sec-fetch-site': 'same-origin',
  };
  await outer({ ...credentials, 'x-forwarded-for': '198.51.100.7', 'x-forwarded-host': 'evil.test' });
  const [call] = received;
  expect(call).toMatchObject({ url: '/inner?b=2', method: 'POST', body: { a: 1 }, ip: '198.51.100.7' });
  expect(call!.headers).toMatchObject(credentials);
  expect(call!.headers).not.toHaveProperty('x-forwarded-host');
});

it('does not let the caller replace the credentials', async () => {
  inner = (fetch) => fetch('http://elsewhere.test/inner', { headers: { authorization: 'Bearer other' } });
  await outer({ authorization: 'Bearer key' });
  expect(received[0]!.headers.authorization).toBe('Bearer key');
});

it('returns status, headers and body', async () => {
  inner = (fetch) => fetch('http://elsewhere.test/inner');
  await outer();
  expect([response.status, response.headers.get('x-made'), await response.text()]).toEqual([
    201,
    'yes',
    'done',
  ]);
});

it('returns a response without a body', async () => {
  inner = (fetch) => fetch('http://elsewhere.test/inner?empty');
  await outer();
  expect([response.status, response.body]).toEqual([204, null]);
});

it('sends nothing once the signal is aborted', async () => {
  inner = (fetch) => fetch('http://elsewhere.test/inner', { signal: AbortSignal.abort() });
  expect((await outer()).statusCode).toBe(500);
  expect(received).toEqual([]);
});
