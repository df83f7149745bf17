import { gunzipSync } from 'node:zlib';
import fastify from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { sendPacked } from './packed-answer.ts';

const kept = Buffer.alloc(100_000, 'kept');
let text = 'one'.repeat(1_000);
const app = fastify();
app.get('/kept', (request, reply) => sendPacked(request, reply, kept));
app.get('/text', (request, reply) => sendPacked(request, reply, text));
app.get('/version', (request, reply) => sendPacked(request, reply.header('ETag', '"3"'), text));
afterAll(() => app.close());

const get = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ url, headers: { 'accept-encoding': 'gzip', ...headers } });

describe('packed answers', () => {
  it('hashes and compresses a kept buffer only once', async () => {
    const first = await get('/kept');
    expect(gunzipSync(first.rawPayload).equals(kept)).toBe(true);
    // A changed content would show if the buffer were read again.
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
  ])('compresses only for a client that accepts gzip: "%s"', async (given, packing) => {
    const answer = await get('/text', { 'accept-encoding': given });
    expect(answer.headers['content-encoding']).toBe(packing);
  });

  it('keeps an ETag that the route has set, and never answers 304 for it', async () => {
    const answer = await get('/version', { 'if-none-match': '"3"' });
    expect([answer.statusCode, answer.headers.etag]).toEqual([200, '"3"']);
    expect(String(gunzipSync(answer.rawPayload))).toBe(text);
  });

  it('makes a new ETag for a new text', async () => {
    const first = await get('/text');
    text = 'two'.repeat(1_000);
    const second = await get('/text');
    expect(second.headers.etag).not.toBe(first.headers.etag);
    expect(String(gunzipSync(second.rawPayload))).toBe(text);
  });
});
