import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { expect, it, vi } from 'vitest';
import { answerClientError } from './client-error.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

function answerTo(code: string | undefined, writable = true) {
  const socket = { writable, end: vi.fn<(text: string) => void>(), destroy: vi.fn() };
  const app = { log: { debug: vi.fn() } } as unknown as FastifyInstance;
  const error = Object.assign(new Error('parse error'), code === undefined ? {} : { code });
  answerClientError.call(app, error, socket as unknown as Socket);
  return { text: socket.end.mock.calls[0]?.[0] ?? null, isDestroyed: socket.destroy.mock.calls.length === 1 };
}

it.each([
  ['HPE_INVALID_METHOD', '405 Method Not Allowed', 'method_not_allowed'],
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large', 'bad_request'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout', 'bad_request'],
  ['HPE_INVALID_CONSTANT', '400 Bad Request', 'bad_request'],
  [undefined, '400 Bad Request', 'bad_request'],
])('%s is answered with %s and a complete JSON body', (code, status, errorCode) => {
  const { text, isDestroyed } = answerTo(code);
  const [head = '', body = ''] = text!.split('\r\n\r\n');
  const [statusLine, ...headers] = head.split('\r\n');
  const requestId = /^req_[0-9A-Za-z]{20}$/;
  expect([statusLine, isDestroyed]).toEqual([`HTTP/1.1 ${status}`, false]);
  expect(JSON.parse(body)).toEqual({
    detail: expect.any(String),
    code: errorCode,
    request_id: expect.stringMatching(requestId),
  });
  expect(headers).toEqual(
    expect.arrayContaining([
      'Connection: close',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${JSON.parse(body).request_id}`,
      ...Object.entries(SECURITY_HEADERS).map(([name, value]) => `${name}: ${value}`),
    ]),
  );
  expect(headers.some((header) => header.startsWith('Allow: GET, '))).toBe(status.startsWith('405'));
});

it.each([
  ['a connection that the client has reset', 'ECONNRESET', true],
  ['a connection that cannot be written to', 'HPE_INVALID_METHOD', false],
])('%s is destroyed without an answer', (_, code, writable) => {
  expect(answerTo(code, writable)).toEqual({ text: null, isDestroyed: true });
});
