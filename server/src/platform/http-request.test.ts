import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { until } from '../test/until.ts';
import { sendHttpRequest } from './http-request.ts';

const server = createServer((_request, response) => response.writeHead(503).end('busy'));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const silent = createTcpServer((socket) => void socket.on('error', () => {}));
silent.listen(0, '127.0.0.1');
await once(silent, 'listening');
const { port: silentPort } = silent.address() as AddressInfo;
afterAll(() => void silent.close());

/** Longer than any test waits; tests of a timeout shorten one of them. */
const timeouts = { connectTimeoutMs: 5_000, idleTimeoutMs: 5_000 };
/** A body larger than the buffers of the connection. */
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
  await until(() => body.destroyed, 'the body is closed');
});

it('closes the body when the connection is refused', async () => {
  const body = endless();
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const url = new URL(`http://127.0.0.1:${(free.address() as AddressInfo).port}/`);
  await new Promise((resolve) => free.close(resolve));
  const sending = sendHttpRequest(url, { method: 'PUT', headers: {}, body, ...timeouts });
  await expect(sending).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await until(() => body.destroyed, 'the body is closed');
});

it('fails with the error of the body', async () => {
  const broken = new Error('the file cannot be read');
  const body = new Readable({ read: () => void body.destroy(broken) });
  const url = new URL(`http://127.0.0.1:${silentPort}/`);
  const sending = sendHttpRequest(url, { method: 'PUT', headers: {}, body, ...timeouts });
  await expect(sending).rejects.toBe(broken);
});

describe('with a server that accepts connections and never answers', () => {
  const send = (protocol: string, times: typeof timeouts) =>
    sendHttpRequest(new URL(`${protocol}//127.0.0.1:${silentPort}/`), {
      method: 'GET',
      headers: {},
      ...times,
    });

  it('times out after the longest silence', async () => {
    const sending = send('http:', { ...timeouts, idleTimeoutMs: 100 });
    await expect(sending).rejects.toMatchObject({ code: 'ETIMEDOUT', message: 'No byte for too long' });
  });

  it('counts the TLS handshake as part of connecting', async () => {
    const sending = send('https:', { ...timeouts, connectTimeoutMs: 100 });
    await expect(sending).rejects.toMatchObject({
      code: 'ETIMEDOUT',
      message: 'The connection took too long',
    });
  });

  it('does not apply the connect timeout once the connection is established', async () => {
    const sending = send('http:', { connectTimeoutMs: 100, idleTimeoutMs: 300 });
    await expect(sending).rejects.toMatchObject({ message: 'No byte for too long' });
  });
});
