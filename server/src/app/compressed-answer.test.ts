import { gunzipSync } from 'node:zlib';
import fastify from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { sendCompressed } from './compressed-answer.ts';

const kept = Buffer.alloc(100_000, 'kept');
let text = 'one'.repeat(1_000);
const app = fastify();
app.get('/kept', (request, reply) => sendCompressed(request, reply, kept, null));
app.get('/text', (request, reply) => sendCompressed(request, reply, text, null));
app.get('/version', (request, reply) => sendCompressed(request, reply.header('ETag', '"3"'), text, null));
app.get('/tagged', (request, reply) => sendCompressed(request, reply, text, 'W/"given"'));
app.get<{ Querystring: { bytes: string } }>('/sized', (request, reply) =>
  sendCompressed(request, reply, 'x'.repeat(Number(request.query.bytes)), null),
);
app.post('/text', (request, reply) => sendCompressed(request, reply, text, null));
afterAll(() => app.close());

const get = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ url, headers: { 'accept-encoding': 'gzip', ...headers } });

describe('compressed answers', () => {
  it('hashes and compresses a buffer that the route keeps only once', async () => {
    const first = await get('/kept');
    expect(gunzipSync(first.rawPayload).equals(kept)).toBe(true);
    // If the buffer were read again, this change would show.
    kept.fill('x');
    const second = await get('/kept');
    expect(second.headers.etag).toBe(first.headers.etag);
    expect(second.rawPayload.equals(first.rawPayload)).toBe(true);
    const known = await get('/kept', { 'if-none-match': String(first.headers.etag) });
    expect([known.statusCode, known.body]).toEqual([304, '']);
  });

  it.each([
    ['gzip', 'gzip'],
    ['br, GZIP;q=0.5', 'gzip'],
    ['*', 'gzip'],
    ['gzip;q=0', undefined],
    ['gzip ; q=0.0', undefined],
    ['gzip;q=0, *', undefined],
    ['*;q=0', undefined],
    ['*;q=0, gzip', 'gzip'],
    ['br', undefined],
    ['', undefined],
  ])('compresses only for a client that accepts gzip: "%s"', async (given, encoding) => {
    const answer = await get('/text', { 'accept-encoding': given });
    expect(answer.headers['content-encoding']).toBe(encoding);
  });

  it('keeps an ETag set by the route, and never answers it with 304', async () => {
    const answer = await get('/version', { 'if-none-match': '"3"' });
    expect([answer.statusCode, answer.headers.etag]).toEqual([200, '"3"']);
    expect(String(gunzipSync(answer.rawPayload))).toBe(text);
  });

  it.each([
    ['*', 304],
    ['"a", W/"given"', 304],
    ['"given"', 304],
    ['W/"other"', 200],
    ['', 200],
  ])('compares If-None-Match weakly with the given tag: %s', async (header, status) => {
    const answer = await get('/tagged', { 'if-none-match': header });
    expect([answer.statusCode, answer.headers.etag]).toEqual([status, 'W/"given"']);
  });

  it('compresses nothing shorter than 2,048 bytes', async () => {
    const { headers } = await get('/sized?bytes=2047');
    expect([headers['content-encoding'], headers.vary]).toEqual([undefined, 'Accept-Encoding']);
    expect((await get('/sized?bytes=2048')).headers['content-encoding']).toBe('gzip');
  });

  it('answers HEAD with the headers of GET', async () => {
    const [head, full] = [await app.inject({ method: 'HEAD', url: '/kept' }), await app.inject('/kept')];
    expect([head.headers.etag, head.headers['content-length']]).toEqual([full.headers.etag, '100000']);
    const packed = await app.inject({
      method: 'HEAD',
      url: '/text',
      headers: { 'accept-encoding': 'gzip' },
    });
    expect(packed.headers['content-encoding']).toBe('gzip');
  });

  it('sends the answer to a POST unchanged', async () => {
    const answer = await app.inject({ method: 'POST', url: '/text', headers: { 'accept-encoding': 'gzip' } });
    expect([answer.headers.etag, answer.headers['content-encoding'], answer.body]).toEqual([
      undefined,
      undefined,
      text,
    ]);
  });

  it('changes the ETag with the content', async () => {
    const first = await get('/text');
    text = 'two'.repeat(1_000);
    const second = await get('/text');
    expect(second.headers.etag).not.toBe(first.headers.etag);
    expect(String(gunzipSync(second.rawPayload))).toBe(text);
  });
});
