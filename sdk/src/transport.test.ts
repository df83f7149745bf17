import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiError, ConnectionError } from './errors.ts';
import { backoffMs, callAndDiscard, createTransport, parseJson, pause } from './transport.ts';

/** A service that answers from a list and records the requests it gets. */
function scripted(answers: (() => Response)[]) {
  const requests: { url: string; init: RequestInit }[] = [];
  const call = createTransport({
    baseUrl: 'http://service.test',
    token: 'es_live_x',
    retriesMax: 3,
    timeoutMs: 1_000,
    fetch: async (url, init) => {
      requests.push({ url: String(url), init: init ?? {} });
      const answer = answers.shift();
      if (!answer) throw new TypeError('connection refused');
      return answer();
    },
  });
  return { call, requests };
}
const status =
  (code: number, body: unknown = {}) =>
  () =>
    new Response(JSON.stringify(body), {
      status: code,
      headers: { 'retry-after': '0', 'x-request-id': 'req_1' },
    });

describe('transport', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  it('retries a read until it succeeds', async () => {
    const { call, requests } = scripted([status(503), status(429), status(200, { fine: true })]);
    const response = await call({ method: 'GET', path: '/v1/usage', query: { a: 1, b: undefined } });
    expect(await response.json()).toEqual({ fine: true });
    expect(requests.map(({ url }) => url)).toEqual(
      Array.from({ length: 3 }, () => 'http://service.test/v1/usage?a=1'),
    );
  });

  it('does not follow a redirect, which may turn a POST into a GET or drop the key, and names its target', async () => {
    const moved = () => new Response(null, { status: 301, headers: { location: 'https://service.test/x' } });
    const { call, requests } = scripted([moved]);
    const error = await call({ method: 'POST', path: '/x', idempotencyKey: 'abcdefgh' }).catch((e) => e);
    expect(error).toBeInstanceOf(ApiError);
    expect(error.message).toBe(
      'The service answered 301 and redirects to https://service.test/x. Redirects are not followed: if the service is there, use that address',
    );
    expect(requests.map(({ init }) => init.redirect)).toEqual(['manual']);
    const inBrowser = scripted([
      () => Object.defineProperty(Response.error(), 'type', { value: 'opaqueredirect' }),
    ]);
    await expect(inBrowser.call({ method: 'GET', path: '/x' })).rejects.toThrow(
      /redirects to another URL\. Redirects are not followed/,
    );
    // Storage redirects with the same method to a URL that carries its own permission.
    const signed = scripted([status(200)]);
    await signed.call({ method: 'PUT', path: 'https://storage.test/x' });
    expect(signed.requests.map(({ init }) => init.redirect)).toEqual(['follow']);
  });

  it('refuses a web page as a response, except for a report', async () => {
    const page = () =>
      new Response('<!doctype html>', { headers: { 'content-type': 'text/html; charset=utf-8' } });
    const { call, requests } = scripted([page, page, page, page]);
    for (const accept of ['application/json', '*/*'])
      await expect(call({ method: 'GET', path: '/exports/csv', headers: { accept } })).rejects.toThrow(
        new ConnectionError(
          'http://service.test answered with a web page: is it the address of the service?',
        ),
      );
    const report = await call({ method: 'GET', path: '/artifacts/report.html', headers: { accept: '*/*' } });
    expect(await report.text()).toBe('<!doctype html>');
    // Google Cloud Storage answers an upload with this type.
    await call({ method: 'PUT', path: 'https://storage.test/x' });
    expect(requests).toHaveLength(4);
  });

  it('closes every unread response, whose deadline would keep a program alive for a minute', async () => {
    const canceled: number[] = [];
    const unread = (code: number) => () =>
      new Response(new ReadableStream({ cancel: () => void canceled.push(code) }), {
        status: code,
        headers: { 'retry-after': '0' },
      });
    const { call } = scripted([unread(503), unread(200)]);
    await callAndDiscard(call, { method: 'DELETE', path: '/v1/analyses/job_1' });
    expect(canceled).toEqual([503, 200]);
  });

  it('retries a POST only with an idempotency key, and under the same one', async () => {
    const bare = scripted([status(503), status(200)]);
    await expect(bare.call({ method: 'POST', path: '/x' })).rejects.toThrow(ApiError);
    expect(bare.requests).toHaveLength(1);
    expect(new Headers(bare.requests[0]!.init.headers).has('idempotency-key')).toBe(false);

    const keyed = scripted([status(503), status(202)]);
    await keyed.call({ method: 'POST', path: '/x', idempotencyKey: 'abcdefgh' });
    expect(keyed.requests.map(({ init }) => new Headers(init.headers).get('idempotency-key'))).toEqual([
      'abcdefgh',
      'abcdefgh',
    ]);
  });

  it('sends an empty idempotency key, which the service refuses, instead of repeating a POST without one', async () => {
    const { call, requests } = scripted([status(422)]);
    await expect(call({ method: 'POST', path: '/x', idempotencyKey: '' })).rejects.toThrow(ApiError);
    expect(new Headers(requests[0]!.init.headers).get('idempotency-key')).toBe('');
  });

  it.each([
    [408, 2],
    [425, 2],
    [500, 2],
    [502, 2],
    [504, 2],
    [400, 1],
    [404, 1],
    [501, 1],
  ])('after status %i it has sent %i requests', async (code, requestCount) => {
    const { call, requests } = scripted([status(code), status(200)]);
    await call({ method: 'GET', path: '/x' }).catch(() => undefined);
    expect(requests).toHaveLength(requestCount);
  });

  it('retries a conflict if the service says when', async () => {
    const keyed = scripted([status(409, { code: 'idempotency_in_progress' }), status(202)]);
    const response = await keyed.call({ method: 'POST', path: '/x', idempotencyKey: 'abcdefgh' });
    expect(response.status).toBe(202);

    const lasting = scripted([() => Response.json({ code: 'conflict' }, { status: 409 })]);
    await expect(lasting.call({ method: 'GET', path: '/x' })).rejects.toMatchObject({ code: 'conflict' });
    expect(lasting.requests).toHaveLength(1);
  });

  it('does not retry an error that a retry cannot fix; it has code, message and request id', async () => {
    const { call, requests } = scripted([status(402, { detail: 'Used up.', code: 'quota_exceeded' })]);
    const error = await call({ method: 'GET', path: '/x' }).catch((caught: unknown) => caught as ApiError);
    expect(error).toMatchObject({
      status: 402,
      code: 'quota_exceeded',
      message: 'Used up.',
      requestId: 'req_1',
    });
    expect(requests).toHaveLength(1);
  });

  it('lists the issues of invalid input in the message', async () => {
    const { call } = scripted([status(422, { detail: [{ loc: ['body', 'email'], msg: 'Field required' }] })]);
    await expect(call({ method: 'POST', path: '/x' })).rejects.toThrow('body.email: Field required');
  });

  it('gives up after the last retry', async () => {
    const { call, requests } = scripted([status(503), status(503), status(503)]);
    const error = await call({ method: 'GET', path: '/x' }).catch((caught: unknown) => caught as Error);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ cause: { message: 'connection refused' } });
    expect(requests).toHaveLength(4);
  });

  it('retries a failed connection', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const refuse = () => {
      throw new TypeError('connection reset');
    };
    const { call, requests } = scripted([refuse, status(200, { fine: true })]);
    expect(await (await call({ method: 'GET', path: '/x' })).json()).toEqual({ fine: true });
    expect(requests).toHaveLength(2);
  });

  it('waits as long as the service asks before a retry', async () => {
    vi.useFakeTimers();
    const busy = () => new Response(null, { status: 503, headers: { 'retry-after': '7' } });
    const { call, requests } = scripted([busy, status(200)]);
    const answered = call({ method: 'GET', path: '/x' });
    await vi.advanceTimersByTimeAsync(6_999);
    expect(requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect((await answered).status).toBe(200);
  });

  it('waits for a fraction of a second if the service asks for one', async () => {
    vi.useFakeTimers();
    const busy = () => new Response(null, { status: 503, headers: { 'retry-after': '1.25' } });
    const { call, requests } = scripted([busy, status(200)]);
    const answered = call({ method: 'GET', path: '/x' });
    await vi.advanceTimersByTimeAsync(1_249);
    expect(requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect((await answered).status).toBe(200);
  });

  it('waits for the minute that a limit per minute can ask for', async () => {
    vi.useFakeTimers();
    const limited = () => new Response(null, { status: 429, headers: { 'retry-after': '60' } });
    const { call, requests } = scripted([limited, status(200)]);
    const answered = call({ method: 'GET', path: '/x' });
    await vi.advanceTimersByTimeAsync(59_999);
    expect(requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect((await answered).status).toBe(200);
  });

  it('throws the error if the service asks for more than a minute', async () => {
    const body = JSON.stringify({ detail: 'Too many.', code: 'rate_limited' });
    const limited = () => new Response(body, { status: 429, headers: { 'retry-after': '61' } });
    const { call, requests } = scripted([limited, status(200)]);
    await expect(call({ method: 'GET', path: '/x' })).rejects.toMatchObject({
      status: 429,
      code: 'rate_limited',
      retryAfterSeconds: 61,
    });
    expect(requests).toHaveLength(1);
  });

  it.each(['', '-7', '7 s', 'soon', 'Wed, 21 Oct 2026 07:28:00 GMT', null])(
    'uses its own delay if retry-after is %j',
    async (retryAfter) => {
      vi.useFakeTimers();
      vi.spyOn(Math, 'random').mockReturnValue(1);
      const headers = retryAfter === null ? undefined : { 'retry-after': retryAfter };
      const { call, requests } = scripted([() => new Response(null, { status: 503, headers }), status(200)]);
      const answered = call({ method: 'GET', path: '/x' });
      await vi.advanceTimersByTimeAsync(399);
      expect(requests).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(1);
      expect((await answered).status).toBe(200);
    },
  );

  it.each([
    ['/v1/usage', 'http://service.test'],
    ['https://storage.test/slot?signature=secret', 'https://storage.test'],
  ])('names the host that did not answer %s, but not the signature', async (path, origin) => {
    const { call } = scripted([]);
    await expect(call({ method: 'POST', path })).rejects.toThrow(
      new ConnectionError(`No answer from ${origin}`),
    );
  });

  it('refuses an invalid URL at once', async () => {
    const fetch = vi.fn();
    const options = { baseUrl: 'service.test', token: null, retriesMax: 3, timeoutMs: 1_000, fetch };
    await expect(createTransport(options)({ method: 'GET', path: '/x' })).rejects.toThrow(
      new ConnectionError('Not a URL: service.test/x'),
    );
    expect(fetch).not.toHaveBeenCalled();
  });

  it('retries although closing an interrupted error response fails', async () => {
    const broken = () =>
      new Response(new ReadableStream({ pull: (body) => body.error(new Error('connection reset')) }), {
        status: 503,
        headers: { 'retry-after': '0' },
      });
    const { call } = scripted([broken, broken, status(200)]);
    await callAndDiscard(call, { method: 'DELETE', path: '/x' });
  });

  it('treats a URL scheme within a path as part of the path', async () => {
    const { call, requests } = scripted([status(200)]);
    await call({ method: 'GET', path: '/v1/songs/https:' });
    expect(requests[0]!.url).toBe('http://service.test/v1/songs/https:');
    expect(new Headers(requests[0]!.init.headers).get('authorization')).toBe('Bearer es_live_x');
  });

  it('says of a bad request what the service says, and no redirect', async () => {
    const { call } = scripted([status(400, { detail: 'The cursor is invalid.' })]);
    await expect(call({ method: 'GET', path: '/x' })).rejects.toMatchObject({
      status: 400,
      message: 'The cursor is invalid.',
    });
  });

  it('returns 304 as a response', async () => {
    const { call } = scripted([() => new Response(null, { status: 304 })]);
    expect((await call({ method: 'GET', path: '/x' })).status).toBe(304);
  });

  it('sends a file unchanged, and JSON with its content type', async () => {
    const { call, requests } = scripted([status(200), status(200), status(200)]);
    const body = new Blob(['RIFF']);
    await call({ method: 'PUT', path: '/x', body });
    await call({ method: 'PUT', path: '/x', json: null });
    await call({ method: 'GET', path: '/x' });
    const sent = requests.map(({ init }) => [init.body, new Headers(init.headers).get('content-type')]);
    expect(sent).toEqual([
      [body, null],
      ['null', 'application/json'],
      [undefined, null],
    ]);
  });

  it.each(['http://storage.test/slot?s=1', 'https://storage.test/slot?s=1'])(
    'sends no credentials to %s',
    async (path) => {
      const { call, requests } = scripted([status(200)]);
      await call({ method: 'PUT', path, query: { part: [1, 2, null] } });
      expect(requests[0]!.url).toBe(`${path}&part=1&part=2`);
      expect(new Headers(requests[0]!.init.headers).has('authorization')).toBe(false);
    },
  );

  it('does not retry once the caller has aborted', async () => {
    const stop = new AbortController();
    const { call, requests } = scripted([
      () => {
        stop.abort(new Error('enough'));
        throw new TypeError('aborted');
      },
    ]);
    await expect(call({ method: 'GET', path: '/x', signal: stop.signal })).rejects.toThrow('enough');
    expect(requests).toHaveLength(1);
  });
});

describe('the deadline of a response', () => {
  afterEach(() => {
    vi.useRealTimers();
  });
  const TIMEOUT_MS = 1_000;

  /** A response whose body `start` writes. */
  async function open(start: (body: ReadableStreamDefaultController<Uint8Array>) => void) {
    vi.useFakeTimers();
    const { call, requests } = scripted([() => new Response(new ReadableStream({ start }))]);
    const response = await call({ method: 'GET', path: '/x' });
    return { response, signal: requests[0]!.init.signal! };
  }

  it('covers the last byte, and is cleared after it', async () => {
    let writer: ReadableStreamDefaultController<Uint8Array>;
    const { response, signal } = await open((body) => {
      writer = body;
    });
    const reading = response.text();
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS - 1);
    expect([signal.aborted, vi.getTimerCount()]).toEqual([false, 1]);
    writer!.enqueue(new TextEncoder().encode('fine'));
    writer!.close();
    expect(await reading).toBe('fine');
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS);
    expect(signal.aborted).toBe(false);
  });

  it('ends a response that does not end, which is a ConnectionError', async () => {
    let writer: ReadableStreamDefaultController<Uint8Array>;
    const { response, signal } = await open((body) => {
      writer = body;
    });
    const reading = response.text();
    reading.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS);
    // As fetch does with the body when its signal aborts.
    writer!.error(signal.reason);
    await expect(reading).rejects.toThrow(
      new ConnectionError('The response of http://service.test was interrupted', { cause: signal.reason }),
    );
    expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
  });

  it.each([200, 503])(
    'throws the reason of a caller that aborts while a %i response is read',
    async (code) => {
      const stop = new AbortController();
      const { call } = scripted([
        () =>
          new Response(
            new ReadableStream({
              start: (body) => stop.signal.addEventListener('abort', () => body.error(stop.signal.reason)),
            }),
            { status: code },
          ),
      ]);
      const reading = call({ method: 'POST', path: '/x', signal: stop.signal }).then((response) =>
        response.text(),
      );
      setTimeout(() => stop.abort(new Error('enough')));
      await expect(reading).rejects.toThrow(new Error('enough'));
    },
  );

  it('keeps the status of an error whose body was interrupted', async () => {
    const { call } = scripted([
      () =>
        new Response(new ReadableStream({ start: (body) => body.error(new Error('reset')) }), {
          status: 404,
        }),
    ]);
    await expect(call({ method: 'GET', path: '/x' })).rejects.toMatchObject({
      name: 'ApiError',
      status: 404,
    });
  });

  it('is cleared when the response is interrupted or canceled', async () => {
    const broken = await open((body) => body.error(new Error('connection reset')));
    await expect(broken.response.text()).rejects.toMatchObject({
      name: 'ConnectionError',
      cause: { message: 'connection reset' },
    });
    expect(vi.getTimerCount()).toBe(0);
    const unread = await open(() => {});
    await unread.response.body!.cancel();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is cleared at once without a body or a response', async () => {
    vi.useFakeTimers();
    const { call } = scripted([() => new Response(null, { status: 204 })]);
    await call({ method: 'DELETE', path: '/x' });
    expect(vi.getTimerCount()).toBe(0);
    await call({ method: 'POST', path: '/x' }).catch(() => undefined);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a pause', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('lasts for the given time, and leaves no listener', async () => {
    vi.useFakeTimers();
    const { signal } = new AbortController();
    let over = false;
    const pausing = pause(500, signal).then(() => {
      over = true;
    });
    await vi.advanceTimersByTimeAsync(499);
    expect(over).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await pausing;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('rejects when the caller aborts, before or during it', async () => {
    vi.useFakeTimers();
    await expect(pause(500, AbortSignal.abort('before'))).rejects.toBe('before');
    const stop = new AbortController();
    const pausing = pause(500, stop.signal);
    stop.abort('during');
    await expect(pausing).rejects.toBe('during');
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('backoffMs', () => {
  it('doubles with jitter up to a limit', () => {
    expect([0, 1, 2, 10, 5_000].map((attempt) => backoffMs(attempt, () => 1))).toEqual([
      400, 800, 1_600, 20_000, 20_000,
    ]);
    expect(backoffMs(3, () => 0)).toBe(0);
  });
});

it('keeps the cause of a response that is not JSON', () => {
  expect(() => parseJson('It works!')).toThrow(
    expect.objectContaining({ name: 'ConnectionError', cause: expect.any(SyntaxError) }),
  );
});
