import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, expect, it, vi } from 'vitest';
import { sendHttpRequest } from './http-request.ts';

const server = createServer((_request, response) => response.writeHead(503).end('busy'));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const timeouts = { connectTimeoutMs: 5_000, idleTimeoutMs: 5_000 };
/** Stands for a file that is larger than the buffers of the connection. */
const endless = () =>
  new Readable({
    read() {
      this.push(Buffer.alloc(65_536));
    },
  });

it('closes the body, and with it its file, when the server answers before it has read everything', async () => {
  const body = endless();
  const url = new URL(`http://127.0.0.1:${port}/`);
  const answer = await sendHttpRequest(url, { method: 'PUT', headers: {}, body, ...timeouts });
  expect(answer.status).toBe(503);
  answer.discard();
  await vi.waitUntil(() => body.destroyed, { timeout: 5_000 });
});

it('closes the body when nobody listens', async () => {
  const body = endless();
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const url = new URL(`http://127.0.0.1:${(free.address() as AddressInfo).port}/`);
  await new Promise((resolve) => free.close(resolve));
  const sending = sendHttpRequest(url, { method: 'PUT', headers: {}, body, ...timeouts });
  await expect(sending).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await vi.waitUntil(() => body.destroyed, { timeout: 5_000 });
});
