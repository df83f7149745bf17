import { connect } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../test/database.ts';
import { buildTestApp, signIn } from '../test/test-app.ts';

/** Requests that need a real connection: bodies that never arrive, bytes that are not HTTP. */

const { db } = await createTestDatabase();
const service = await buildTestApp(db);
const { token } = await signIn(service);
await service.app.listen({ host: '127.0.0.1', port: 0 });
const { port } = service.app.server.address() as { port: number };
afterAll(() => service.app.server.closeAllConnections());

/** Sends the text; resolves to what was received until the server closed the connection or the answer was complete. */
function exchange(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.setEncoding('utf8');
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
    socket.on('data', (chunk: string) => {
      received += chunk;
      const [head = '', body = ''] = received.split('\r\n\r\n');
      const length = /content-length: (\d+)/i.exec(head)?.[1];
      if (length !== undefined && Buffer.byteLength(body) >= Number(length)) socket.end();
    });
  });
}

const post = (headers: string[], body = '') =>
  exchange(
    [
      'POST /v1/api-keys HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      ...headers,
      '',
      body,
    ].join('\r\n'),
  );

describe('a real connection', () => {
  test('413 before the body arrives, when its declared length is too long', async () => {
    expect(await post(['Content-Length: 60000000'])).toMatch(
      /^HTTP\/1\.1 413 [\s\S]*"code":"payload_too_large"/,
    );
  });

  test('413 as soon as a chunked body is too long', async () => {
    const chunk = 'x'.repeat(1_100_000);
    const sent = await post(['Transfer-Encoding: chunked'], `${chunk.length.toString(16)}\r\n${chunk}\r\n`);
    expect(sent).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('401 without waiting for the body of an unauthenticated request', async () => {
    const answer = await exchange(
      'POST /v1/analyze/upload HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 50000000\r\n\r\n--b',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 401 [\s\S]*"code":"unauthorized"/);
  });

  test('400 for bytes that are not HTTP, 431 for too long headers; both with a JSON body and a request id', async () => {
    expect(await exchange('GET no-path-at-all HTTP/1.1\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*X-Request-Id: req_[\s\S]*"code":"bad_request"/,
    );
    expect(await post([`X-Long: ${'x'.repeat(20_000)}`])).toMatch(
      /^HTTP\/1\.1 431 [\s\S]*X-Request-Id: req_[\s\S]*"code":"bad_request"/,
    );
  });

  test('405 for an unknown method, with Allow', async () => {
    expect(await exchange('HELLO / HTTP/1.1\r\nHost: a\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 405 [\s\S]*Allow: GET, [\s\S]*"code":"method_not_allowed"/,
    );
  });

  test('400 for a request with both Content-Length and Transfer-Encoding (request smuggling)', async () => {
    const smuggled = await post(['Content-Length: 5', 'Transfer-Encoding: chunked'], '0\r\n\r\n');
    expect(smuggled).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('a page whose own host name resolves to this machine (DNS rebinding) gets no sign-in code', async () => {
    const body = JSON.stringify({ email: 'ada@example.com' });
    const ask = (host: string) =>
      exchange(
        [
          'POST /v1/auth/email/start HTTP/1.1',
          `Host: ${host}`,
          'Content-Type: application/json',
          `Content-Length: ${body.length}`,
          '',
          body,
        ].join('\r\n'),
      );
    for (const host of [
      'evil.example',
      'evil.example:8080',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
    ])
      expect(await ask(host), host).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":"bad_request"/);
    for (const host of [`localhost:${port}`, '127.0.0.1', '[::1]:8080', 'app.localhost'])
      expect(await ask(host), host).toMatch(/^HTTP\/1\.1 200 [\s\S]*"dev_code":"\d{6}"/);
  });
});
