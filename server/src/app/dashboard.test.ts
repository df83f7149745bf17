import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fastify from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { loadDashboard } from './dashboard.ts';

const folder = mkdtempSync(join(tmpdir(), 'earshot-dashboard-'));
mkdirSync(join(folder, 'assets'));
writeFileSync(join(folder, 'index.html'), '<html><head><title>page</title></head></html>');
writeFileSync(join(folder, 'assets', 'app-abc.js'), 'script');
writeFileSync(join(folder, 'sample.mp3'), '0123456789');
const dashboard = loadDashboard(folder);
const app = fastify();
/** cross-origin.ts does so for every answer. */
app.addHook('onRequest', async (_, reply) => void reply.header('Vary', 'Origin'));
app.setNotFoundHandler((request, reply) => dashboard(request, reply) ?? reply.code(404).send('none'));
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});
const get = (url: string, accept = 'text/html') => app.inject({ url, headers: { accept } });

describe('dashboard', () => {
  it('serves its page at every path a browser requests, with a new nonce each time', async () => {
    const [first, second] = [await get('/'), await get('/analyses/job_1?x=1')];
    for (const answer of [first, second]) {
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(answer.headers['content-security-policy']).toContain("script-src 'self'");
    }
    expect(first.headers['content-security-policy']).not.toBe(second.headers['content-security-policy']);
    const nonce = /content="([^"]+)"/.exec(first.body)?.[1];
    expect(first.headers['content-security-policy']).toContain(`'nonce-${nonce}'`);
  });

  it.each([
    [undefined, 200],
    ['*/*', 200],
    ['text/html,application/xhtml+xml', 200],
    ['application/json, text/html', 200],
    ['application/json', 404],
    ['application/json, text/html;q=0.5', 404],
  ])('is the page at / unless JSON is preferred: %s', async (accept, status) => {
    const answer = await app.inject({ url: '/', headers: accept === undefined ? {} : { accept } });
    expect(answer.statusCode).toBe(status);
  });

  it('allows files with a hash in their name to be cached forever, and others for an hour', async () => {
    expect((await get('/sample.mp3', '*/*')).headers['cache-control']).toBe('public, max-age=3600');
    const answer = await get('/assets/app-abc.js', '*/*');
    expect([answer.body, answer.headers['cache-control']]).toEqual([
      'script',
      'public, max-age=31536000, immutable',
    ]);
  });

  it.each([
    [undefined, 200, '0123456789', undefined],
    ['bytes=0-', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=4-6', 206, '456', 'bytes 4-6/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
  ])('answers range requests for audio, uncompressed: %s', async (range, status, body, contentRange) => {
    const headers = { 'accept-encoding': 'gzip', ...(range && { range }) };
    const answer = await app.inject({ url: '/sample.mp3', headers });
    const seen = [answer.statusCode, answer.body, answer.headers['content-range']];
    expect(seen).toEqual([status, body, contentRange]);
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.headers['accept-ranges']).toBe('bytes');
  });

  it('compresses files only for clients that accept gzip', async () => {
    const small = await app.inject({ url: '/assets/app-abc.js', headers: { 'accept-encoding': 'br, gzip' } });
    const refused = await app.inject({
      url: '/assets/app-abc.js',
      headers: { 'accept-encoding': 'gzip;q=0' },
    });
    expect(refused.headers['content-encoding']).toBeUndefined();
    expect(small.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(small.rawPayload).toString()).toBe('script');
    expect(small.headers.vary).toBe('Origin, Accept-Encoding');
    const plain = await app.inject({ url: '/assets/app-abc.js' });
    expect([plain.headers['content-encoding'], plain.body]).toEqual([undefined, 'script']);
  });

  it('tells the page whether a session cookie was sent', async () => {
    const headers = { accept: 'text/html', cookie: 'earshot_session=es_sess_x' };
    expect((await get('/')).body).toContain('name="signed-in" content="no"');
    expect((await app.inject({ url: '/', headers })).body).toContain('name="signed-in" content="maybe"');
  });

  it.each([
    ['an unknown API path, even from a browser', '/v1/nothing', 'text/html'],
    ['a program that does not ask for a page', '/anything', 'application/json'],
    ['a path out of the folder', '/assets/../../etc/passwd', '*/*'],
    ['an encoded path out of the folder', '/assets/%2e%2e/index.html', '*/*'],
  ])('does not answer %s', async (_, url, accept) => {
    expect((await get(url, accept)).statusCode).toBe(404);
  });

  it('does not answer a POST', async () => {
    for (const url of ['/', '/assets/app-abc.js'])
      expect((await app.inject({ method: 'POST', url, headers: { accept: 'text/html' } })).statusCode).toBe(
        404,
      );
  });
});
