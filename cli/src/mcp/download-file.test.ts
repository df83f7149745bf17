import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { downloadFile, fileNameOf } from './download-file.ts';

const folder = await mkdtemp(join(tmpdir(), 'earshot-download-'));
const server = createServer((request, response) => {
  if (request.url === '/gone.mp3') response.writeHead(404);
  if (request.url === '/broken.mp3') {
    response.writeHead(200, { 'content-length': '20' });
    response.write('0123456789', () => response.destroy());
    return;
  }
  if (request.url?.startsWith('/endless')) {
    response.writeHead(request.url === '/endless-refusal.mp3' ? 404 : 200);
    response.write('0123');
    return;
  }
  response.end('0123456789');
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const never = new AbortController().signal;
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

describe('downloadFile', () => {
  it('stores the file under its decoded name', async () => {
    const path = await downloadFile(`${base}/a/F%C3%BCr%20Elise.mp3?x=1`, folder, never);
    expect(basename(path)).toBe('Für Elise.mp3');
    expect(await readFile(path, 'utf8')).toBe('0123456789');
  });

  it('calls a file without a name "audio"', async () => {
    expect(basename(await downloadFile(`${base}/music/`, folder, never))).toBe('audio');
  });

  it('refuses a file that is larger than the limit', async () => {
    await downloadFile(`${base}/a.mp3`, folder, never, 10);
    await expect(downloadFile(`${base}/a.mp3`, folder, never, 9)).rejects.toThrow(/is larger than/);
  });

  it('reports the status of the server, or why there was no answer', async () => {
    await expect(downloadFile(`${base}/gone.mp3`, folder, never)).rejects.toThrow('/gone.mp3 answered 404.');
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await expect(downloadFile(`http://127.0.0.1:${port}/a.mp3`, folder, never)).rejects.toThrow(
      /\/a\.mp3 could not be fetched: .*ECONNREFUSED/,
    );
  });

  it('reports a download that breaks off', async () => {
    await expect(downloadFile(`${base}/broken.mp3`, folder, never)).rejects.toThrow(
      /\/broken\.mp3 could not be fetched: ./,
    );
  });

  it('closes the connection of a refusal whose body does not end', async () => {
    const answering = once(server, 'request');
    const refused = downloadFile(`${base}/endless-refusal.mp3`, folder, never);
    const [, response] = (await answering) as [unknown, ServerResponse];
    const closed = once(response, 'close');
    await expect(refused).rejects.toThrow('answered 404.');
    await closed;
    // Garbage collection would take longer than this test's time limit.
  }, 5_000);

  it('aborts with the reason of its caller', async () => {
    const reason = new Error('no longer wanted');
    await expect(downloadFile(`${base}/a.mp3`, folder, AbortSignal.abort(reason))).rejects.toBe(reason);
    const leaving = new AbortController();
    const answering = once(server, 'request');
    const underWay = downloadFile(`${base}/endless.mp3`, folder, leaving.signal);
    await answering;
    leaving.abort(reason);
    await expect(underWay).rejects.toBe(reason);
  });
});

it.each([
  ['/%E8%81%BD%E8%A6%8B.flac', '聽見.flac'],
  ['/a%2Fb%5Cc%3A.mp3', 'a_b_c_.mp3'],
  ['/100%.mp3', '100%.mp3'],
  [`/${encodeURIComponent('聽'.repeat(100))}.mp3`, `${'聽'.repeat(66)}.mp3`],
  [`/a.${'b'.repeat(300)}`, `a.${'b'.repeat(198)}`],
  ['/music/', null],
  ['/..', null],
])('the file of %s is called %s', (path, name) => {
  expect(fileNameOf(`https://example.com${path}`)).toBe(name);
});
