import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { at, createOutsideWorld, FETCH_DEFAULTS as defaults, PUBLIC } from '../test/outside-world.ts';
import { FetchFailed } from './fetch-errors.ts';
import { createGuardedFetch, LOOKUP_TIMEOUT_MS } from './guarded-fetch.ts';

/** Targets that the guarded fetch refuses: a list of attacks, each refused without a single connection. */
const world = await createOutsideWorld();
const { canaryPort: port, ownAddress, names, touched, guardedFetch, get, read, publicServer } = world;
const withSystemResolver = createGuardedFetch({ allowPrivateTargets: [], allowedPorts: [port, 80, 443] });

const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => 'fetched',
    (error: Error) => error.name,
  );

const loopbackSpellings = [
  '127.0.0.1 127.1 127.0.1 0177.0.0.1 0x7f.0.0.1 0x7f000001 0x7f.1 2130706433 017700000001 127.0.0.1.',
  '127。0。0。1 ①②⑦.⓪.⓪.① %31%32%37.0.0.1 127.0.0.1\u00ad 0 0.0.0.0 127.0.0.2 127.255.255.254',
  'localhost LOCALHOST localhost. ⓛocalhost loc\u200balhost',
  '[::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:7f00:1] [::127.0.0.1] [64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1] [2002:7f00:1::] [2001:0:4136:e378:8000:63bf:80ff:fffe]',
].flatMap((line) => line.split(' '));

const privateAddresses = [
  '10.0.0.1 100.64.0.1 100.100.100.200 169.254.169.254 2852039166 0xa9fea9fe 0251.0376.0251.0376 172.16.0.1',
  '192.0.0.1 192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1',
  '255.255.255.255 168.63.129.16 [fe80::1] [fec0::1] [fc00::1] [fd00:ec2::254] [ff02::1] [100::1]',
  '[2001:db8::1] [3fff::1] [5f00::1]',
  ...(ownAddress === null ? [] : [ownAddress]),
].flatMap((line) => line.split(' '));

const malformed = [
  ...'file:///etc/passwd ftp://public.test/ gopher://public.test/ dict://public.test/ ldap://public.test/'.split(
    ' ',
  ),
  ...'jar:http://public.test!/ data:audio/wav;base64,AAAA blob:http://public.test/x javascript:alert(1)'.split(
    ' ',
  ),
  ...`ws://public.test/ http+unix://%2Ftmp%2Fsocket/ http://public.test@127.0.0.1:${port}/`.split(' '),
  ...`http://a:b@public.test/ http://user@public.test/ http://127.0.0.1:${port}#@public.test/`.split(' '),
  ...`http:127.0.0.1:${port} http:/127.0.0.1:${port} //127.0.0.1:${port} http://[fe80::1%25eth0]/`.split(' '),
  ...'http://public.test:65536/ http:// public.test'.split(' '),
  `http://public.test\\@127.0.0.1:${port}/`,
  `http://127.0.0.1:${port}\\@public.test/`,
  'http://pub\tlic.test/',
  'http://public.test/\r\nX: y',
  'http://public.test/ x',
  '',
];

describe('refused, when a URL is checked and when it is fetched, without a single connection:', () => {
  it.each([
    ...[...loopbackSpellings, ...privateAddresses].map((host) => `http://${host}:${port}/`),
    ...malformed,
  ])('%s', async (url) => {
    expect(await refusal(get(url))).toBe('FetchForbidden');
    expect(await guardedFetch.isUrlAllowed(url)).toBe(false);
    expect(touched).toEqual([]);
  });

  it.each(['localhost', 'LOCALHOST', 'localhost.', 'foo.localhost', 'ip6-localhost'])(
    'the name %s, with the real resolver',
    async (name) => {
      const outcome = await refusal(withSystemResolver({ ...defaults, url: `http://${name}:${port}/` }));
      expect(['FetchForbidden', 'FetchFailed']).toContain(outcome);
      expect(touched).toEqual([]);
    },
  );

  it('a URL longer than the contract allows, and not one exactly as long', async () => {
    names.set('long.test', at('8.8.8.8'));
    const start = 'http://long.test/';
    // As contract/src/wire-values.ts says.
    const longest = start.padEnd(2_083, 'x');
    expect([
      await guardedFetch.isUrlAllowed(longest),
      await guardedFetch.isUrlAllowed(`${longest}x`),
    ]).toEqual([true, false]);
  });

  it.each([22, 25, 0, 5432, 6379, 9200, 8080])('port %i of a public address', async (closed) => {
    names.set('world.test', at('8.8.8.8'));
    expect(await refusal(get(`http://world.test:${closed}/`))).toBe('FetchForbidden');
  });
});

it('assumes port 443 for https', async () => {
  const resolve = async () => at('8.8.8.8');
  const onlyHttps = createGuardedFetch({ allowPrivateTargets: [], allowedPorts: [443], resolve });
  expect(await onlyHttps.isUrlAllowed('https://world.test/')).toBe(true);
  expect(await onlyHttps.isUrlAllowed('http://world.test/')).toBe(false);
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

  it('are resolved once per connection, which uses the checked address', async () => {
    const base = await publicServer((_request, response) => response.end('from the checked address'));
    let lookupCount = 0;
    names.set('rebinding.test', () => at(lookupCount++ % 2 === 0 ? PUBLIC : '127.0.0.1'));
    for (let round = 0; round < 100; round += 1) {
      const url = base.replace('public.test', 'rebinding.test');
      const outcome = await read(url).catch((error: Error) => error.name);
      expect(outcome).toBe(round % 2 === 0 ? 'from the checked address' : 'FetchForbidden');
    }
    expect(lookupCount).toBe(100);
    expect(touched).toEqual([]);
  });

  it('that change after the check of the URL are checked again by the fetch', async () => {
    let answer = at('8.8.8.8');
    names.set('changing.test', () => answer);
    expect(await guardedFetch.isUrlAllowed(`http://changing.test:${port}/`)).toBe(true);
    answer = at('127.0.0.1');
    expect(await refusal(get(`http://changing.test:${port}/`))).toBe('FetchForbidden');
    expect(touched).toEqual([]);
  });

  it('that do not resolve fail the fetch, but not the check of the URL', async () => {
    expect(await guardedFetch.isUrlAllowed('http://nowhere.test/')).toBe(true);
    await expect(get('http://nowhere.test/')).rejects.toMatchObject({ name: 'FetchFailed', reason: 'dns' });
  });

  it('without an address fail', async () => {
    names.set('empty.test', []);
    await expect(get('http://empty.test/')).rejects.toMatchObject({ name: 'FetchFailed', reason: 'dns' });
  });

  it.each([
    ['request', 100, 100],
    ['lookup', 60_000, LOOKUP_TIMEOUT_MS],
  ])('that never resolve end with the timeout of the %s', async (_, totalTimeoutMs, endsAfterMs) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const stuck = createGuardedFetch({
      allowPrivateTargets: [],
      allowedPorts: [80],
      resolve: () => new Promise(() => {}),
    });
    const request = stuck({ ...defaults, url: 'http://stuck.test/', totalTimeoutMs });
    const outcome = expect(request).rejects.toMatchObject({ reason: 'timeout' });
    await vi.advanceTimersByTimeAsync(endsAfterMs);
    await outcome;
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

  it('are followed up to the limit and no further, also relative ones, without the headers of the first request', async () => {
    const seen: (string | undefined)[] = [];
    const base = await publicServer((request, response) => {
      seen.push(request.headers['x-mine'] as string | undefined);
      if (request.url === '/5') response.end('arrived');
      else response.writeHead(302, { location: String(Number(request.url?.slice(1)) + 1) }).end();
    });
    expect(await read(`${base}/0`, { headers: { 'x-mine': 'yes' } })).toBe('arrived');
    expect(seen).toEqual(['yes', undefined, undefined, undefined, undefined, undefined]);
    await expect(get(`${base}/0`, { redirectsMax: 4 })).rejects.toMatchObject({ reason: 'redirects' });
  });

  it('are themselves the response when redirectsMax is 0', async () => {
    const { status, discard } = await get(await redirecting(`http://127.0.0.1:${port}/`), {
      redirectsMax: 0,
    });
    discard();
    expect([status, touched]).toEqual([302, []]);
  });

  it('by a Refresh header or a meta element are not followed', async () => {
    const base = await publicServer((_request, response) => {
      response.setHeader('refresh', `0; url=http://127.0.0.1:${port}/`);
      response.end(`<meta http-equiv="refresh" content="0; url=http://127.0.0.1:${port}/">`);
    });
    expect(await read(base)).toContain('meta');
    expect(touched).toEqual([]);
  });
});

it('would notice a connection to a canary server', async () => {
  const wide = createGuardedFetch({ allowPrivateTargets: ['127.0.0.0/8', '::1/128'], allowedPorts: [] });
  await expect(wide({ ...defaults, url: `http://127.0.0.1:${port}/` })).rejects.toThrow(FetchFailed);
  if (world.hasIpv6)
    await expect(wide({ ...defaults, url: `http://[::1]:${port}/` })).rejects.toThrow(FetchFailed);
  expect(touched).toEqual(world.hasIpv6 ? ['127.0.0.1', '::1'] : ['127.0.0.1']);
});
