import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { whileCollecting } from '../../../scripts/collect-garbage.mjs';
import serverPackage from '../../package.json' with { type: 'json' };
import { at, createOutsideWorld, FETCH_DEFAULTS as defaults, PUBLIC } from '../test/outside-world.ts';
import { FetchForbidden } from './fetch-errors.ts';
import { createGuardedFetch } from './guarded-fetch.ts';

/** The guarded fetch with servers it may reach: what it sends, how much it reads, and its timeouts. */
const {
  canaryPort: port,
  names,
  resolve,
  touched,
  get,
  read,
  listen,
  publicServer,
} = await createOutsideWorld();

describe('the request', () => {
  it('has no unnecessary headers', async () => {
    let headers: Record<string, unknown> = {};
    const base = await publicServer((request, response) => {
      headers = request.headers;
      response.end();
    });
    await read(base);
    expect(headers).toEqual({
      host: new URL(base).host,
      'user-agent': `Earshot/${serverPackage.version}`,
      accept: '*/*',
      'accept-encoding': 'identity',
      connection: 'close',
    });
    await read(base, { method: 'POST', body: '{"ä":1}', headers: { 'content-type': 'application/json' } });
    expect(headers).toEqual({
      host: new URL(base).host,
      'user-agent': `Earshot/${serverPackage.version}`,
      accept: '*/*',
      'content-type': 'application/json',
      'content-length': '8',
      connection: 'close',
    });
  });

  it('ignores a proxy in the environment', async () => {
    onTestFinished(() => void vi.unstubAllEnvs());
    for (const name of ['HTTP_PROXY', 'http_proxy']) vi.stubEnv(name, `http://127.0.0.1:${port}`);
    const base = await publicServer((_request, response) => response.end('direct'));
    expect(await read(base)).toBe('direct');
    expect(touched).toEqual([]);
  });
});

describe('limits', () => {
  it('on the body: exactly the limit passes, one byte more fails or is cut off', async () => {
    const base = await publicServer((_request, response) => {
      response.write('12345');
      response.end('67890');
    });
    expect(await read(base, { responseBytesMax: 10 })).toBe('1234567890');
    await expect(read(base, { responseBytesMax: 9 })).rejects.toMatchObject({ reason: 'too_large' });
    expect(await read(base, { responseBytesMax: 7, onTooLong: 'cut' })).toBe('1234567');
  });

  it('on the body apply to the declared length before the first byte', async () => {
    const base = await publicServer((_request, response) => {
      response.writeHead(200, { 'content-length': '2000000' });
      response.write('x');
    });
    await expect(get(base)).rejects.toMatchObject({ reason: 'too_large' });
  });

  it('on the body stop an endless body soon after the limit', async () => {
    let sentBytes = 0;
    const chunk = Buffer.alloc(64 * 1024);
    const base = await publicServer((request, response) => {
      const more = () => {
        for (let hasRoom = true; hasRoom && !request.destroyed; sentBytes += chunk.length) {
          hasRoom = response.write(chunk);
        }
      };
      response.on('drain', more);
      more();
    });
    await expect(read(base, { responseBytesMax: 200_000 })).rejects.toMatchObject({ reason: 'too_large' });
    // The buffers of both sockets hold a few megabytes at most.
    expect(sentBytes).toBeGreaterThan(200_000);
    expect(sentBytes).toBeLessThan(20_000_000);
  });

  it('on the time apply to silence, to dripping headers and to a dripping body', async () => {
    const drip = async (write: (text: string) => void) => {
      for (let count = 0; count < 100; count += 1) {
        write('a');
        await delay(20);
      }
    };
    const silent = await listen(createTcpServer(() => {}));
    const headers = await listen(
      createTcpServer((socket) => {
        socket.on('error', () => {});
        socket.write('HTTP/1.1 200 OK\r\nx: ');
        void drip((text) => socket.writable && socket.write(text));
      }),
    );
    const body = new URL(
      await publicServer((_request, response) => void drip((text) => response.write(text))),
    ).port;
    for (const slow of [silent, headers, body]) {
      const startedMs = performance.now();
      const outcome = read(`http://public.test:${slow}/`, { totalTimeoutMs: 300 });
      await expect(whileCollecting(() => outcome)).rejects.toMatchObject({ reason: 'timeout' });
      // A limit counted from the last byte would not end before the two seconds of dripping.
      expect(performance.now() - startedMs).toBeLessThan(1_500);
    }
  });

  it('apply to the size of the headers', async () => {
    const base = await publicServer((_request, response) => {
      // More than the 16 KiB of RESPONSE_HEADER_BYTES_MAX.
      response.setHeader('x-large', 'x'.repeat(17_000));
      response.end();
    });
    await expect(get(base)).rejects.toMatchObject({ reason: 'protocol' });
  });

  it('cannot be evaded by a compressed answer, which is refused, but not to a POST', async () => {
    const base = await publicServer((_request, response) => {
      response.setHeader('content-encoding', 'gzip');
      response.end('x');
    });
    await expect(get(base)).rejects.toMatchObject({ reason: 'protocol' });
    expect(await read(base, { method: 'POST' })).toBe('x');
  });

  it('do not delay an abort by the caller', async () => {
    const base = await publicServer(() => {});
    const stop = new AbortController();
    const outcome = get(base, { signal: stop.signal });
    stop.abort();
    await expect(outcome).rejects.toMatchObject({ reason: 'aborted' });
  });
});

describe('a misbehaving server', () => {
  const raw = (answer: string) =>
    listen(
      createTcpServer((socket) => {
        socket.on('error', () => {});
        socket.once('data', () => socket.end(answer));
      }),
    );

  it.each([
    ['no HTTP', 'hello\r\n\r\n'],
    ['a body shorter than declared', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'],
    ['a chunked body that breaks off', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhal'],
    ['nothing at all', ''],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx'],
  ])('with %s is a failure', async (_case, answer) => {
    await expect(read(`http://public.test:${await raw(answer)}/`)).rejects.toMatchObject({
      reason: 'protocol',
    });
  });

  it('that does not listen is a failure', async () => {
    const server = createTcpServer();
    const free = await listen(server);
    server.close();
    await once(server, 'close');
    await expect(get(`http://public.test:${free}/`)).rejects.toMatchObject({ reason: 'connect' });
  });

  it('that closes early does not stop a slow reader from reading everything', async () => {
    const bytes = Buffer.alloc(2_000_000, 7);
    const base = await publicServer((_request, response) => response.end(bytes));
    const { body } = await get(base, { responseBytesMax: bytes.length });
    let count = 0;
    for await (const chunk of body) {
      count += chunk.length;
      await new Promise((next) => setImmediate(next));
    }
    expect(count).toBe(bytes.length);
  });
});

describe('https', () => {
  const pem = readFileSync(new URL('../test/fixtures/audio-test-certificate.pem', import.meta.url), 'utf8');
  names.set('audio.test', at(PUBLIC));

  async function tlsServer(): Promise<number> {
    return listen(createTlsServer({ key: pem, cert: pem }, (_request, response) => response.end('secret')));
  }
  const trusting = createGuardedFetch({
    allowPrivateTargets: [`${PUBLIC}/32`],
    allowedPorts: [],
    resolve,
    trustedCertificates: [pem],
  });

  it('connects to the checked address, and requires a certificate for the name of the URL', async () => {
    const tlsPort = await tlsServer();
    const { status, body } = await trusting({ ...defaults, url: `https://audio.test:${tlsPort}/` });
    expect(await readText(body)).toBe('secret');
    expect(status).toBe(200);
    const otherName = trusting({ ...defaults, url: `https://public.test:${tlsPort}/` });
    await expect(otherName).rejects.toMatchObject({ reason: 'tls' });
  });

  const expired = readFileSync(
    new URL('../test/fixtures/expired-test-certificate.pem', import.meta.url),
    'utf8',
  );
  const trustingExpired = createGuardedFetch({
    allowPrivateTargets: [`${PUBLIC}/32`],
    allowedPorts: [],
    resolve,
    trustedCertificates: [expired],
  });

  it.each([
    ['a self-signed certificate', { key: pem, cert: pem }, get, 'audio.test', /self-signed/],
    ['an expired certificate', { key: expired, cert: expired }, viaExpired, 'audio.test', /has expired/],
    ['a certificate for another name', { key: pem, cert: pem }, viaTrusting, 'public.test', /another name/],
    [
      'nothing newer than TLS 1.1',
      {
        key: pem,
        cert: pem,
        minVersion: 'TLSv1',
        maxVersion: 'TLSv1.1',
        ciphers: 'DEFAULT@SECLEVEL=0',
      } as const,
      viaTrusting,
      'audio.test',
      /TLS 1\.2 or newer/,
    ],
  ])('fails with %s, and the message gives the reason', async (_, settings, fetchIt, name, words) => {
    let requests = 0;
    const server = createTlsServer(settings, (_request, response) => {
      requests += 1;
      response.end();
    });
    server.on('tlsClientError', () => {});
    const outcome = fetchIt(`https://${name}:${await listen(server)}/`);
    await expect(outcome).rejects.toMatchObject({ reason: 'tls', message: expect.stringMatching(words) });
    expect(requests).toBe(0);
  });

  function viaTrusting(url: string) {
    return trusting({ ...defaults, url });
  }
  function viaExpired(url: string) {
    return trustingExpired({ ...defaults, url });
  }

  it('does not follow a redirect to http', async () => {
    const server = createTlsServer({ key: pem, cert: pem }, (_request, response) =>
      response.writeHead(302, { location: 'http://public.test/' }).end(),
    );
    const outcome = trusting({ ...defaults, url: `https://audio.test:${await listen(server)}/` });
    await expect(outcome).rejects.toThrow(FetchForbidden);
  });
});
