import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { FetchFailed, FetchForbidden } from './fetch-errors.ts';
import { createGuardedFetch, type GuardedRequest, type ResolvedAddress } from './guarded-fetch.ts';

/**
 * Canaries listen where nothing may ever arrive: on the loopback in both families and on this machine's own address, all on
 * one port, which is allowed, so that only the address can be the reason. 127.0.0.50 stands for the public world.
 */
const PUBLIC = '127.0.0.50';
const servers: TcpServer[] = [];
let touched: string[] = [];

async function listen(server: TcpServer, host: string, port = 0): Promise<number> {
  servers.push(server);
  server.listen(port, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function canary(host: string): TcpServer {
  return createTcpServer((socket) => {
    touched.push(host);
    socket.destroy();
  });
}

const port = await listen(canary('127.0.0.1'), '127.0.0.1');
await listen(canary('127.0.0.2'), '127.0.0.2', port);
const own = Object.values(networkInterfaces())
  .flat()
  .find((entry) => entry && !entry.internal && entry.family === 'IPv4')?.address;
if (own) await listen(canary(own), own, port);
const ipv6 = await listen(canary('::1'), '::1', port).then(
  () => true,
  () => false,
);

afterAll(() => {
  for (const server of servers) {
    if ('closeAllConnections' in server) (server as Server).closeAllConnections();
    server.close();
  }
});
beforeEach(() => {
  touched = [];
});

const names = new Map<string, ResolvedAddress[] | (() => ResolvedAddress[])>();
const resolve = async (hostname: string): Promise<ResolvedAddress[]> => {
  const found = names.get(hostname.replace(/\.$/, ''));
  if (!found) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
  return typeof found === 'function' ? found() : found;
};
const at = (...addresses: string[]): ResolvedAddress[] =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
names.set('localhost', at('127.0.0.1'));
names.set('public.test', at(PUBLIC));

const guardedFetch = createGuardedFetch({
  allowPrivateTargets: [`${PUBLIC}/32`],
  allowedPorts: [port, 80, 443],
  resolve,
});
const withSystemResolver = createGuardedFetch({ allowPrivateTargets: [], allowedPorts: [port, 80, 443] });

const defaults = {
  method: 'GET',
  redirectsMax: 5,
  connectTimeoutMs: 2_000,
  totalTimeoutMs: 5_000,
  responseBytesMax: 1_000_000,
  onTooLong: 'fail',
} as const;

const get = (url: string, options: Partial<GuardedRequest> = {}) =>
  guardedFetch({ ...defaults, url, ...options });

async function read(url: string, options: Partial<GuardedRequest> = {}): Promise<string> {
  const { body } = await get(url, options);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** A server of the public world; the URL of its root by name. */
async function publicServer(listener: RequestListener): Promise<string> {
  return `http://public.test:${await listen(createServer(listener), PUBLIC)}`;
}

const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => 'fetched',
    (error: Error) => error.name,
  );

const loopbackSpellings = [
  ...[
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '0177.0.0.1',
    '0x7f.0.0.1',
    '0x7f000001',
    '0x7f.1',
    '2130706433',
    '017700000001',
  ],
  ...[
    '127.0.0.1.',
    '127。0。0。1',
    '①②⑦.⓪.⓪.①',
    '%31%32%37.0.0.1',
    '127.0.0.1\u00ad',
    '0',
    '0.0.0.0',
    '127.0.0.2',
  ],
  ...['127.255.255.254', 'localhost', 'LOCALHOST', 'localhost.', 'ⓛocalhost', 'loc\u200balhost'],
  ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:7f00:1]', '[::127.0.0.1]'],
  ...[
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::]',
    '[2001:0:4136:e378:8000:63bf:80ff:fffe]',
  ],
];
const privateAddresses = [
  ...[
    '10.0.0.1',
    '100.64.0.1',
    '100.100.100.200',
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
  ],
  ...[
    '172.16.0.1',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.0.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
  ],
  ...['224.0.0.1', '240.0.0.1', '255.255.255.255', '168.63.129.16', '[fe80::1]', '[fec0::1]', '[fc00::1]'],
  ...[
    '[fd00:ec2::254]',
    '[ff02::1]',
    '[100::1]',
    '[2001:db8::1]',
    '[3fff::1]',
    '[5f00::1]',
    ...(own ? [own] : []),
  ],
];
const malformed = [
  ...[
    'file:///etc/passwd',
    'ftp://public.test/',
    'gopher://public.test/',
    'dict://public.test/',
    'ldap://public.test/',
  ],
  ...[
    'jar:http://public.test!/',
    'data:audio/wav;base64,AAAA',
    'blob:http://public.test/x',
    'javascript:alert(1)',
  ],
  ...['ws://public.test/', 'http+unix://%2Ftmp%2Fsocket/', `http://public.test@127.0.0.1:${port}/`],
  ...['http://a:b@public.test/', 'http://user@public.test/', `http://127.0.0.1:${port}#@public.test/`],
  ...[
    `http://public.test\\@127.0.0.1:${port}/`,
    `http://127.0.0.1:${port}\\@public.test/`,
    `http:127.0.0.1:${port}`,
  ],
  ...[
    `http:/127.0.0.1:${port}`,
    `//127.0.0.1:${port}`,
    'http://pub\tlic.test/',
    'http://public.test/\r\nX: y',
  ],
  ...[
    'http://public.test/ x',
    'http://[fe80::1%25eth0]/',
    'http://public.test:65536/',
    'http://',
    'public.test',
    '',
  ],
  `http://public.test/${'x'.repeat(8_000)}`,
];

describe('what is refused, when a URL is given and when it is fetched, without a single connection', () => {
  it.each([
    ...[...loopbackSpellings, ...privateAddresses].map((host) => `http://${host}:${port}/`),
    ...malformed,
  ])('%s', async (url) => {
    expect(await refusal(get(url))).toBe('FetchForbidden');
    await expect(guardedFetch.assertUrlAllowed(url)).rejects.toMatchObject({ code: 'url_not_allowed' });
    expect(touched).toEqual([]);
  });

  it('says the same for every reason', async () => {
    const sentences = new Set<string>();
    for (const url of [
      'ftp://public.test/',
      `http://127.0.0.1:${port}/`,
      'http://public.test:22/',
      'http://a@public.test/',
    ]) {
      await guardedFetch.assertUrlAllowed(url).catch((error: Error) => sentences.add(error.message));
    }
    expect(sentences.size).toBe(1);
  });

  it.each(['localhost', 'LOCALHOST', 'localhost.', 'foo.localhost', 'ip6-localhost'])(
    'the name %s, asked of the real resolver',
    async (name) => {
      const outcome = await refusal(withSystemResolver({ ...defaults, url: `http://${name}:${port}/` }));
      expect(['FetchForbidden', 'FetchFailed']).toContain(outcome);
      expect(touched).toEqual([]);
    },
  );

  it.each([22, 25, 0, 5432, 6379, 9200, 8080])('port %i of the public world', async (closed) => {
    names.set('world.test', at('8.8.8.8'));
    expect(await refusal(get(`http://world.test:${closed}/`))).toBe('FetchForbidden');
  });
});

describe('names', () => {
  it.each([
    ['one private address', at('10.0.0.1')],
    ['a private address behind a public one', at('8.8.8.8', '127.0.0.1')],
    ['a public address and a private one of the other family', at('8.8.8.8', '::1')],
    ['a mapped address', at('::ffff:127.0.0.1')],
    [
      'a thousand addresses, the last one private',
      at(...Array.from({ length: 999 }, () => '8.8.8.8'), '127.0.0.1'),
    ],
  ])('that lead to %s are refused', async (_case, addresses) => {
    names.set('mixed.test', addresses);
    expect(await refusal(get(`http://mixed.test:${port}/`))).toBe('FetchForbidden');
    expect(touched).toEqual([]);
  });

  it('are resolved once per connection, which goes to the address that was checked', async () => {
    const base = await publicServer((_request, response) => response.end('from the checked address'));
    let asked = 0;
    names.set('rebinding.test', () => at(asked++ % 2 === 0 ? PUBLIC : '127.0.0.1'));
    for (let round = 0; round < 100; round += 1) {
      const url = base.replace('public.test', 'rebinding.test');
      const outcome = await read(url).catch((error: Error) => error.name);
      expect(outcome).toBe(round % 2 === 0 ? 'from the checked address' : 'FetchForbidden');
    }
    expect(asked).toBe(100);
    expect(touched).toEqual([]);
  });

  it('may change between the moment a URL is given and the fetch', async () => {
    let answer = at('8.8.8.8');
    names.set('changing.test', () => answer);
    await guardedFetch.assertUrlAllowed(`http://changing.test:${port}/`);
    answer = at('127.0.0.1');
    expect(await refusal(get(`http://changing.test:${port}/`))).toBe('FetchForbidden');
    expect(touched).toEqual([]);
  });

  it('that do not resolve are a failure of the fetch, not of the URL', async () => {
    await guardedFetch.assertUrlAllowed('http://nowhere.test/');
    await expect(get('http://nowhere.test/')).rejects.toMatchObject({ name: 'FetchFailed', reason: 'dns' });
  });

  it('that never resolve are given up in time', async () => {
    const stuck = createGuardedFetch({
      allowPrivateTargets: [],
      allowedPorts: [80],
      resolve: () => new Promise(() => {}),
    });
    const outcome = stuck({ ...defaults, url: 'http://stuck.test/', totalTimeoutMs: 100 });
    await expect(outcome).rejects.toMatchObject({ reason: 'timeout' });
  });
});

describe('redirects', () => {
  const redirecting = (location: string, status = 302) =>
    publicServer((_request, response) => response.writeHead(status, { location }).end());

  it.each([301, 302, 303, 307, 308])('by %i to a closed address are not followed there', async (status) => {
    const base = await redirecting(`http://127.0.0.1:${port}/`, status);
    expect(await refusal(get(base))).toBe('FetchForbidden');
    expect(touched).toEqual([]);
  });

  it.each([
    `//127.0.0.1:${port}/`,
    `http://localhost:${port}/`,
    `http://[::1]:${port}/`,
    'file:///etc/passwd',
    'http://a@public.test/',
  ])('to %s are refused', async (location) => {
    expect(await refusal(get(await redirecting(location)))).toBe('FetchForbidden');
    expect(touched).toEqual([]);
  });

  it('are followed within the limit, relative ones too, without the headers of the first request', async () => {
    const seen: (string | undefined)[] = [];
    const base = await publicServer((request, response) => {
      seen.push(request.headers['x-mine'] as string | undefined);
      if (request.url === '/5') response.end('arrived');
      else response.writeHead(302, { location: String(Number(request.url?.slice(1)) + 1) }).end();
    });
    expect(await read(`${base}/0`, { headers: { 'x-mine': 'yes' } })).toBe('arrived');
    expect(seen).toEqual(['yes', undefined, undefined, undefined, undefined, undefined]);
  });

  it('end at the limit', async () => {
    const base = await publicServer((request, response) =>
      response.writeHead(302, { location: request.url }).end(),
    );
    await expect(get(base)).rejects.toMatchObject({ reason: 'redirects' });
  });

  it('are an answer like any other when none is to be followed', async () => {
    const { status, discard } = await get(await redirecting(`http://127.0.0.1:${port}/`), {
      redirectsMax: 0,
    });
    discard();
    expect([status, touched]).toEqual([302, []]);
  });

  it('by header Refresh or from the page are nothing to us', async () => {
    const base = await publicServer((_request, response) => {
      response.setHeader('refresh', `0; url=http://127.0.0.1:${port}/`);
      response.end(`<meta http-equiv="refresh" content="0; url=http://127.0.0.1:${port}/">`);
    });
    expect(await read(base)).toContain('meta');
    expect(touched).toEqual([]);
  });
});

describe('the request', () => {
  it('says what it must and nothing else', async () => {
    let headers: Record<string, unknown> = {};
    const base = await publicServer((request, response) => {
      headers = request.headers;
      response.end();
    });
    await read(base);
    expect(headers).toEqual({
      host: new URL(base).host,
      'user-agent': 'Earshot/0.1',
      accept: '*/*',
      'accept-encoding': 'identity',
      connection: 'close',
    });
    await read(base, { method: 'POST', body: '{"ä":1}', headers: { 'content-type': 'application/json' } });
    expect(headers).toEqual({
      host: new URL(base).host,
      'user-agent': 'Earshot/0.1',
      accept: '*/*',
      'content-type': 'application/json',
      'content-length': '8',
      connection: 'close',
    });
  });

  it('does not take a proxy from the environment', async () => {
    process.env.HTTP_PROXY = `http://127.0.0.1:${port}`;
    process.env.http_proxy = process.env.HTTP_PROXY;
    const base = await publicServer((_request, response) => response.end('direct'));
    expect(await read(base)).toBe('direct');
    expect(touched).toEqual([]);
    delete process.env.HTTP_PROXY;
    delete process.env.http_proxy;
  });
});

describe('limits', () => {
  it('on the body: exactly the limit passes, one byte more fails or is cut', async () => {
    const base = await publicServer((_request, response) => {
      response.write('12345');
      response.end('67890');
    });
    expect(await read(base, { responseBytesMax: 10 })).toBe('1234567890');
    await expect(read(base, { responseBytesMax: 9 })).rejects.toMatchObject({ reason: 'too_large' });
    expect(await read(base, { responseBytesMax: 7, onTooLong: 'cut' })).toBe('1234567');
  });

  it('on a declared length are kept before the first byte', async () => {
    const base = await publicServer((_request, response) => {
      response.writeHead(200, { 'content-length': '2000000' });
      response.write('x');
    });
    await expect(get(base)).rejects.toMatchObject({ reason: 'too_large' });
  });

  it('on an endless body take little more than the limit', async () => {
    let sent = 0;
    const chunk = Buffer.alloc(64 * 1024);
    const base = await publicServer((request, response) => {
      const more = () => {
        while (!request.destroyed && response.write(chunk)) sent += chunk.length;
      };
      response.on('drain', more);
      more();
    });
    await expect(read(base, { responseBytesMax: 200_000 })).rejects.toMatchObject({ reason: 'too_large' });
    // What was under way: buffers of both sockets, a few megabytes at most, and then the connection is gone.
    expect(sent).toBeLessThan(20_000_000);
  });

  it('on time hold for silence, for dripping headers and for a dripping body', async () => {
    const drip = async (write: (text: string) => void) => {
      for (let count = 0; count < 100; count += 1) {
        write('a');
        await delay(20);
      }
    };
    const silent = await listen(
      createTcpServer(() => {}),
      PUBLIC,
    );
    const headers = await listen(
      createTcpServer((socket) => {
        socket.on('error', () => {});
        socket.write('HTTP/1.1 200 OK\r\nx: ');
        void drip((text) => socket.writable && socket.write(text));
      }),
      PUBLIC,
    );
    const body = new URL(
      await publicServer((_request, response) => void drip((text) => response.write(text))),
    ).port;
    for (const slow of [silent, headers, body]) {
      const startedMs = performance.now();
      const outcome = read(`http://public.test:${slow}/`, { totalTimeoutMs: 300 });
      await expect(outcome).rejects.toMatchObject({ reason: 'timeout' });
      expect(performance.now() - startedMs).toBeLessThan(1_500);
    }
  });

  it('on headers hold', async () => {
    const base = await publicServer((_request, response) => {
      response.setHeader('x-large', 'x'.repeat(17_000));
      response.end();
    });
    await expect(get(base)).rejects.toMatchObject({ reason: 'protocol' });
  });

  it('hold against a compressed answer, which could grow without end', async () => {
    const base = await publicServer((_request, response) => {
      response.setHeader('content-encoding', 'gzip');
      response.end('x');
    });
    await expect(get(base)).rejects.toMatchObject({ reason: 'protocol' });
  });

  it('end at the wish of the caller', async () => {
    const base = await publicServer(() => {});
    const stop = new AbortController();
    const outcome = get(base, { signal: stop.signal });
    stop.abort();
    await expect(outcome).rejects.toMatchObject({ reason: 'aborted' });
  });
});

describe('a server that misbehaves', () => {
  const raw = (answer: string) =>
    listen(
      createTcpServer((socket) => {
        socket.on('error', () => {});
        socket.once('data', () => socket.end(answer));
      }),
      PUBLIC,
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

  it('with nobody there is a failure', async () => {
    const server = createTcpServer();
    const free = await listen(server, PUBLIC);
    server.close();
    await once(server, 'close');
    await expect(get(`http://public.test:${free}/`)).rejects.toMatchObject({ reason: 'connect' });
  });

  it('that closes while its answer is read slowly costs nothing', async () => {
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
    return listen(
      createTlsServer({ key: pem, cert: pem }, (_request, response) => response.end('secret')),
      PUBLIC,
    );
  }
  const trusting = createGuardedFetch({
    allowPrivateTargets: [`${PUBLIC}/32`],
    allowedPorts: [],
    resolve,
    trustedCertificates: [pem],
  });

  it('goes to the checked address under the name of the URL, which the certificate must bear', async () => {
    const tlsPort = await tlsServer();
    const { status, body } = await trusting({ ...defaults, url: `https://audio.test:${tlsPort}/` });
    for await (const chunk of body) expect(Buffer.from(chunk).toString()).toBe('secret');
    expect(status).toBe(200);
    const otherName = trusting({ ...defaults, url: `https://public.test:${tlsPort}/` });
    await expect(otherName).rejects.toMatchObject({ reason: 'tls' });
  });

  it('trusts nobody by itself', async () => {
    const outcome = get(`https://audio.test:${await tlsServer()}/`);
    await expect(outcome).rejects.toMatchObject({ reason: 'tls' });
  });

  it('is not left for http by a redirect', async () => {
    const server = createTlsServer({ key: pem, cert: pem }, (_request, response) =>
      response.writeHead(302, { location: 'http://public.test/' }).end(),
    );
    const outcome = trusting({ ...defaults, url: `https://audio.test:${await listen(server, PUBLIC)}/` });
    await expect(outcome).rejects.toThrow(FetchForbidden);
  });
});

it('has canaries that sing', async () => {
  const wide = createGuardedFetch({ allowPrivateTargets: ['127.0.0.0/8', '::1/128'], allowedPorts: [] });
  await expect(wide({ ...defaults, url: `http://127.0.0.1:${port}/` })).rejects.toThrow(FetchFailed);
  if (ipv6) await expect(wide({ ...defaults, url: `http://[::1]:${port}/` })).rejects.toThrow(FetchFailed);
  expect(touched).toEqual(ipv6 ? ['127.0.0.1', '::1'] : ['127.0.0.1']);
});
