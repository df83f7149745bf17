import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { callService } from './http-call.ts';

const server = createServer(({ url, socket }, response) => {
  if (url === '/reset') socket.resetAndDestroy();
  else if (url === '/moved') response.writeHead(302, { location: '/' }).end();
  else if (url === '/refused') response.writeHead(409).end('{"code":"conflict"}');
  else if (url === '/half') response.write('{"half":');
}).listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => server.close().closeAllConnections());
/** Longer than any answer takes, even on a busy machine. */
const PATIENT_MS = 10_000;
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

it('returns the answer, and does not follow redirects', async () => {
  expect(await callService(`${url}/refused`, {}, PATIENT_MS)).toEqual({
    kind: 'answer',
    status: 409,
    text: '{"code":"conflict"}',
    body: { code: 'conflict' },
    code: 'conflict',
  });
  expect(await callService(`${url}/moved`, {}, PATIENT_MS)).toMatchObject({
    status: 302,
    body: null,
    code: null,
  });
});

it('is unknown after a reset, after a timeout, and after half an answer', async () => {
  expect(await callService(`${url}/reset`, {}, PATIENT_MS)).toEqual({
    kind: 'unknown',
    reason: 'ECONNRESET',
  });
  for (const path of ['/silence', '/half'])
    expect(await callService(`${url}${path}`, {}, 50)).toEqual({
      kind: 'unknown',
      reason: 'Not done within 50 ms',
    });
});
