import { allOperations, operations } from '@earshot/contract';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { createLogger } from '../platform/log.ts';
import { openDatabase } from '../platform/postgres.ts';
import { createRoutes } from '../routes.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestApp, register, signIn } from '../test/test-app.ts';
import { buildApp } from './app.ts';

const { db, url } = await createTestDatabase();
const app = await buildTestApp(db);
const person = await signIn(app);
const { headers } = person;

describe('the app', () => {
  const routes = createRoutes({ isStopping: () => false });

  test('does not start when an operation has no implementation, has two, or is not in the contract', () => {
    expect(() => buildApp(app.deps, routes.slice(1))).toThrow(/missing getHealth/);
    expect(() => buildApp(app.deps, [...routes, routes[0]!])).toThrow(/twice getHealth/);
    const stray = { ...operations.operational.getHealth, id: 'stray' };
    const handle = routes[0]!.handle;
    expect(() => buildApp(app.deps, [...routes, { operation: stray, handle }])).toThrow(/unknown stray/);
  });

  test('does not start when an operation has no policy', () => {
    const { policy, ...open } = operations.operational.getHealth;
    const unguarded = open as typeof operations.operational.getHealth;
    const handle = routes[0]!.handle;
    const options = { operations: [unguarded] };
    expect(() => buildApp(app.deps, [{ operation: unguarded, handle }], options)).toThrow(
      /unguarded getHealth/,
    );
  });
});

test('with a read-only database the service is alive but not ready', async () => {
  const connection = {
    connectionString: `${url}&options=${encodeURIComponent('-c default_transaction_read_only=on')}`,
  };
  const standby = openDatabase({ connection, log: createLogger({ level: 'silent' }) });
  try {
    const degraded = await buildTestApp(standby);
    expect((await app.call('GET', '/ready')).status).toBe(200);
    const { status, body } = await degraded.call('GET', '/ready');
    expect([status, body]).toEqual([
      503,
      { status: 'not_ready', checks: { database: 'failing', accepting: 'ok', disk: 'ok' } },
    ]);
    expect((await degraded.call('GET', '/health')).status).toBe(200);
  } finally {
    await standby.close();
  }
});

test('the timeouts of Node and Fastify are limited', () => {
  const { headersTimeout, requestTimeout, keepAliveTimeout } = app.app.server;
  expect({ headersTimeout, requestTimeout, keepAliveTimeout }).toEqual({
    headersTimeout: 15_000,
    requestTimeout: 900_000,
    keepAliveTimeout: 65_000,
  });
});

describe('operational routes', () => {
  test('/health, /ready and /version need no credentials', async () => {
    expect((await app.call('GET', '/health')).body).toEqual({ status: 'ok' });
    const ready = await app.call('GET', '/ready');
    expect([ready.status, ready.body]).toEqual([
      200,
      { status: 'ready', checks: { database: 'ok', accepting: 'ok', disk: 'ok' } },
    ]);
    const { body } = await app.call('GET', '/version');
    expect(Object.keys(body)).toEqual(['service', 'version', 'commit', 'api', 'engine', 'node']);
    for (const value of Object.values(body)) expect(value).toEqual(expect.any(String));
  });

  test('/ready is 503 while stopping, /health is not', async () => {
    const stopping = buildApp(app.deps, createRoutes({ isStopping: () => true }), { checkAnswers: true });
    const ready = await stopping.inject('/ready');
    expect([ready.statusCode, ready.json(), ready.headers['retry-after']]).toEqual([
      503,
      { status: 'not_ready', checks: { database: 'ok', accepting: 'failing', disk: 'ok' } },
      '5',
    ]);
    expect((await stopping.inject('/health')).statusCode).toBe(200);
    await stopping.close();
  });

  test('/openapi.json and .yaml are the same document; /llms.txt lists every route', async () => {
    const json = await app.call('GET', '/openapi.json');
    expect(json.body.openapi).toBe('3.1.0');
    expect(json.headers).toMatchObject({
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
    });
    const yaml = await app.call('GET', '/openapi.yaml');
    expect(yaml.headers['content-type']).toBe('application/yaml');
    expect(parseYaml(yaml.text)).toEqual(json.body);
    const llms = await app.call('GET', '/llms.txt');
    for (const { method, path } of allOperations) expect(llms.text).toContain(`\`${method} ${path}\``);
  });

  test('/docs and the pages below it may run only their own script; an unknown page is 404', async () => {
    for (const path of ['/docs', '/docs/reference', '/docs/quickstart?from=mail']) {
      const page = await app.call('GET', path);
      expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(page.headers['content-security-policy']).toMatch(
        /^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';/,
      );
      const script = /<script type="module" src="([^"]+)">/.exec(page.text)?.[1] ?? '';
      const { status, headers } = await app.call('GET', script);
      expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
    }
    expect((await app.call('GET', '/docs/quickstart.md')).headers['content-type']).toBe(
      'text/markdown; charset=utf-8',
    );
    expect((await app.call('GET', '/llms-full.txt')).text).toContain('# Quickstart');
    expect((await app.call('GET', '/docs/nothing')).body.code).toBe('not_found');
    const missing = await app.call('GET', '/docs/nothing', { headers: { accept: 'text/html' } });
    expect([missing.status, missing.text.includes('There is no such page')]).toEqual([404, true]);
    expect(missing.headers['cache-control']).toBe('no-store');
    const slash = await app.call('GET', '/docs/quickstart/');
    expect([slash.status, slash.headers.location]).toEqual([308, '/docs/quickstart']);
    expect((await app.call('POST', '/docs/quickstart')).status).toBe(404);
  });

  test('a path of fifteen thousand slashes costs next to nothing', async () => {
    const before = process.cpuUsage();
    expect((await app.call('GET', `/docs/${'/'.repeat(15_000)}x`)).status).toBe(404);
    const { user: userMicroseconds, system: systemMicroseconds } = process.cpuUsage(before);
    const cpuMs = (userMicroseconds + systemMicroseconds) / 1000;
    // A regular expression with quadratic backtracking took 390 ms.
    expect(cpuMs).toBeLessThan(200);
  });
});

describe('requests without a route', () => {
  test('404 for unknown paths, and for misplaced slashes, wrong case, and dots', async () => {
    const paths = [
      '/v2/analyses',
      '/v1/analyses/',
      '//v1/analyses',
      '/V1/analyses',
      '/v1/analyses.json',
      '/v1/analyses/x/../y',
      '/',
    ];
    for (const path of paths) {
      // A client that does not accept JSON gets the dashboard at `/` if that has been built.
      const asJson = { ...headers, accept: 'application/json' };
      const { status, body } = await app.call('GET', path, { headers: asJson });
      expect([path, status, body.code]).toEqual([path, 404, 'not_found']);
    }
  });

  test('405 with Allow for another method on a known path; OPTIONS lists the methods; HEAD is GET without a body', async () => {
    const wrong = await app.call('DELETE', '/v1/usage', { headers });
    expect([wrong.status, wrong.body.code, wrong.headers.allow]).toEqual([
      405,
      'method_not_allowed',
      'GET, HEAD, OPTIONS',
    ]);
    const options = await app.call('OPTIONS', '/v1/analyses');
    expect([options.status, options.headers.allow]).toEqual([204, 'GET, POST, HEAD, OPTIONS']);
    expect((await app.call('OPTIONS', '/v1/analyses/bulk')).headers.allow).toBe('POST, OPTIONS');
    expect((await app.call('QUERY', '/v1/usage', { headers })).status).toBe(405);
    const head = await app.call('HEAD', '/v1/usage', { headers });
    expect([head.status, head.text]).toEqual([200, '']);
    expect((await app.call('HEAD', '/v1/usage')).status).toBe(401);
  });

  test('ids that cannot exist are 404: NUL, far too long, a path inside', async () => {
    for (const id of ['%00', 'a'.repeat(150), 'a'.repeat(300), '..%2f..%2fetc', '%F0%9F%98%80']) {
      const { status, body } = await app.call('GET', `/v1/analyses/${id}`, { headers });
      expect([id.slice(0, 10), status, body.code]).toEqual([id.slice(0, 10), 404, 'not_found']);
    }
    const broken = await app.call('GET', '/v1/analyses/%zz', { headers });
    expect([broken.status, broken.body.code]).toEqual([400, 'bad_request']);
  });
});

describe('security headers', () => {
  const shared = {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
  };

  // Fastify runs no hooks for a path that it cannot decode, nor for a long id.
  const unroutable = ['/v1/analyses/%zz', `/v1/analyses/${'a'.repeat(300)}`];

  test('are sent with data, with errors, and without a route', async () => {
    for (const path of ['/v1/usage', '/v1/analyses/job_0', '/nowhere', ...unroutable]) {
      expect((await app.call('GET', path, { headers })).headers, path).toMatchObject(shared);
    }
  });

  test('demand https from then on, only of a service that is reached by https', async () => {
    const secure = await buildTestApp(db, {}, { BASE_URL: 'https://localhost' });
    for (const path of ['/health', ...unroutable]) {
      const answer = await secure.call('GET', path);
      expect(answer.headers['strict-transport-security'], path).toBe('max-age=31536000');
    }
    expect((await app.call('GET', '/health')).headers).not.toHaveProperty('strict-transport-security');
  });
});

describe('request id', () => {
  test("is the client's when well formed, otherwise ours; in header and error body", async () => {
    const given = await app.call('GET', '/nowhere', { headers: { 'x-request-id': 'trace-2026.01:42' } });
    expect([given.headers['x-request-id'], given.body.request_id]).toEqual([
      'trace-2026.01:42',
      'trace-2026.01:42',
    ]);
    for (const bad of ['short', 'a'.repeat(129), 'with space in it', 'line\tbreak-here', '"quoted-string"']) {
      const { headers: answered } = await app.call('GET', '/health', { headers: { 'x-request-id': bad } });
      expect(answered['x-request-id']).toMatch(/^req_[0-9A-Za-z]{20}$/);
    }
    for (const path of ['/v1/analyses/%zz', `/v1/analyses/${'a'.repeat(300)}`]) {
      const { headers: answered, body } = await app.call('GET', path);
      expect(answered['x-request-id'], path).toBe(body.request_id);
    }
  });
});

describe('bodies', () => {
  const post = (body: string, more: Record<string, string> = {}) =>
    app.call('POST', '/v1/api-keys', { headers: { ...headers, ...more }, body });

  test('NUL, half a surrogate pair, __proto__ and very deep nesting are 422', async () => {
    const nul = await post('{"name":"a\\u0000b","scopes":["usage:read"]}');
    expect([nul.status, nul.body.detail[0].loc, nul.body.detail[0].type]).toEqual([
      422,
      ['body', 'name'],
      'value_error',
    ]);
    const surrogate = await post('{"name":"\\ud800","scopes":["usage:read"]}');
    expect([surrogate.status, surrogate.body.detail[0].type]).toEqual([422, 'string_unicode']);
    const poison = await post('{"name":"x","scopes":["usage:read"],"__proto__":{"isAdmin":true}}');
    expect([poison.status, poison.body.detail[0].type]).toEqual([422, 'extra_forbidden']);
    const deep = await post(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    expect(deep.status).toBe(422);
    expect((await post('['.repeat(100_000))).status).toBe(422);
  });

  test('the answer to a hostile body is short', async () => {
    const keys = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 1]));
    const many = await post(JSON.stringify(keys));
    expect(many.status).toBe(422);
    expect(many.body.detail).toHaveLength(20);
    expect(many.text.length).toBeLessThan(32_000);
    const long = await post(JSON.stringify({ name: 'x'.repeat(500_000), scopes: [] }));
    expect(long.text.length).toBeLessThan(2_000);
  });

  test('413 over a mebibyte', async () => {
    const body = JSON.stringify({ name: 'x'.repeat(1_048_576), scopes: [] });
    const { status, body: problem } = await post(body);
    expect([status, problem.code]).toEqual([413, 'payload_too_large']);
  });

  test.each([
    ['a compressed body', { 'content-encoding': 'gzip' }],
    ['an empty content type', { 'content-type': '' }],
    ['a malformed content type', { 'content-type': 'json' }],
  ])('415 for %s', async (_, given) => {
    const { status, body } = await post('{}', given);
    expect([status, body.code]).toEqual([415, 'unsupported_media']);
  });

  test('a body of another type than JSON is treated as text', async () => {
    const plain = await post('{"name":"x","scopes":["usage:read"]}', { 'content-type': 'text/plain' });
    expect([plain.status, plain.body.detail[0].type]).toEqual([422, 'model_attributes_type']);
    const named = await post('{"name":"x","scopes":["usage:read"]}', {
      'content-type': 'application/vnd.api+json; charset=utf-8',
    });
    expect(named.status).toBe(201);
  });

  test('invalid UTF-8 is 422; a byte order mark is accepted', async () => {
    const inject = (payload: Buffer) =>
      app.app.inject({
        method: 'POST',
        url: '/v1/api-keys',
        headers: { ...headers, 'content-type': 'application/json' },
        payload,
      });
    const bad = await inject(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]));
    expect([bad.statusCode, bad.json().detail[0].type]).toEqual([422, 'json_invalid']);
    const marked = Buffer.concat([
      Buffer.from([0xef, 0xbb, 0xbf]),
      Buffer.from('{"name":"bom","scopes":["usage:read"]}'),
    ]);
    expect((await inject(marked)).statusCode).toBe(201);
  });
});

describe('credentials', () => {
  test('401 for any bad credentials, with WWW-Authenticate', async () => {
    const { key } = await register(app);
    const typo = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`;
    const bad: Record<string, string>[] = [
      {},
      { authorization: 'Bearer' },
      { authorization: 'Basic abc' },
      { authorization: `Bearer ${typo}` },
      { authorization: 'Bearer es_sess_short' },
      { authorization: `Bearer es_sess_${'a'.repeat(43)}` },
      { 'x-api-key': typo },
      { 'x-api-key': person.token },
      { 'x-api-key': '' },
      { 'x-api-key': key, authorization: `Bearer ${person.token}` },
      { cookie: 'earshot_session=nonsense' },
    ];
    for (const credentials of bad) {
      const {
        status,
        body,
        headers: answered,
      } = await app.call('GET', '/v1/usage', { headers: credentials });
      expect([status, body.code]).toEqual([401, 'unauthorized']);
      expect(answered['www-authenticate']).toBe('Bearer realm="earshot"');
    }
    expect((await app.call('GET', `/v1/usage?api_key=${key}`)).status).toBe(401);
    const detailFor = async (authorization: string) =>
      (await app.call('GET', '/v1/usage', { headers: { authorization } })).body.detail;
    expect(await detailFor('Bearer sk-of-elsewhere')).toBe(
      'This is neither an API key nor a session of this service: keys begin with "es_live_". Check what you sent.',
    );
    expect(await detailFor(`Bearer es_sess_${'a'.repeat(43)}`)).toMatch(/^This session is unknown/);
  });

  test('a key with a wrong checksum costs no query', async () => {
    let queries = 0;
    const counting = { ...db, query: () => Promise.reject(new Error(`query ${++queries}`)) } as typeof db;
    const offline = await buildTestApp({
      ...counting,
      maybeOne: counting.query,
      one: counting.query,
    } as typeof db);
    const answer = await offline.call('GET', '/v1/usage', {
      headers: { 'x-api-key': `es_live_${'a'.repeat(36)}` },
    });
    expect([answer.status, queries]).toEqual([401, 0]);
  });

  test('X-API-Key decides the shape of usage and billing status, even when a bearer token is sent too', async () => {
    const { key } = await register(app);
    const bearer = { authorization: `Bearer ${key}` };
    const both = { ...bearer, 'x-api-key': key };
    expect(Object.keys((await app.call('GET', '/v1/usage', { headers: bearer })).body)).toContain(
      'local_analysis_jobs',
    );
    expect(Object.keys((await app.call('GET', '/v1/usage', { headers: both })).body)).toContain('remaining');
    expect(Object.keys((await app.call('GET', '/v1/billing/status', { headers: bearer })).body)).toContain(
      'local_credit_balance',
    );
    expect(Object.keys((await app.call('GET', '/v1/billing/status', { headers: both })).body)).toContain(
      'portal_available',
    );
  });
});

describe('the general limit', () => {
  test('429 with its headers, for one workspace and not for another, and never for /health', async () => {
    const strict = await buildTestApp(
      db,
      { clock: () => new Date('2026-05-01T00:00:30Z') },
      { REQUESTS_PER_MINUTE: '3' },
    );
    const own = await register(strict);
    const ask = () => strict.call('GET', '/v1/usage', { headers: own.headers });
    for (let used = 0; used < 3; used += 1) expect((await ask()).status).toBe(200);
    const fourth = await ask();
    expect([fourth.status, fourth.headers['retry-after'], fourth.headers['ratelimit-policy']]).toEqual([
      429,
      '30',
      '"requests";q=3;w=60',
    ]);
    const other = await register(strict);
    expect((await strict.call('GET', '/v1/usage', { headers: other.headers })).status).toBe(200);
    for (let used = 0; used < 5; used += 1) expect((await strict.call('GET', '/health')).status).toBe(200);
  });
});
