import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiError, ConnectionError } from './errors.ts';
import { backoffMs, createTransport, pause, sendOnly } from './transport.ts';

/** A service that answers from a list, and remembers what it was asked. */
function scripted(answers: (() => Response)[]) {
  const asked: { url: string; init: RequestInit }[] = [];
  const call = createTransport({
    baseUrl: 'http://service.test',
    token: 'es_live_x',
    retriesMax: 3,
    timeoutMs: 1_000,
    fetch: async (url, init) => {
      asked.push({ url: String(url), init: init ?? {} });
      const answer = answers.shift();
      if (!answer) throw new TypeError('connection refused');
      return answer();
    },
  });
  return { call, asked };
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

  it('repeats a read until it passes', async () => {
    const { call, asked } = scripted([status(503), status(429), status(200, { fine: true })]);
    const response = await call({ method: 'GET', path: '/v1/usage', query: { a: 1, b: undefined } });
    expect(await response.json()).toEqual({ fine: true });
    expect(asked.map(({ url }) => url)).toEqual(
      Array.from({ length: 3 }, () => 'http://service.test/v1/usage?a=1'),
    );
  });

  it('follows no redirect, which would turn a POST into a GET and lose the key, and says where it leads', async () => {
    const moved = () => new Response(null, { status: 301, headers: { location: 'https://service.test/x' } });
    const { call, asked } = scripted([moved]);
    const error = await call({ method: 'POST', path: '/x', idempotencyKey: 'abcdefgh' }).catch((e) => e);
    expect(error).toBeInstanceOf(ApiError);
    expect(error.message).toBe(
      'The service answered 301 and leads on to https://service.test/x. Redirects are not followed: if the service is there, use that address',
    );
    expect(asked.map(({ init }) => init.redirect)).toEqual(['manual']);
    const inBrowser = scripted([
      () => Object.defineProperty(Response.error(), 'type', { value: 'opaqueredirect' }),
    ]);
    await expect(inBrowser.call({ method: 'GET', path: '/x' })).rejects.toThrow(
      /leads on to another address\. Redirects are not followed/,
    );
    // Another place of storage is asked with the same method and carries its own permission.
    const signed = scripted([status(200)]);
    await signed.call({ method: 'PUT', path: 'https://storage.test/x' });
    expect(signed.asked.map(({ init }) => init.redirect)).toEqual(['follow']);
  });

  it('takes a web page for no answer of the service, but for a report', async () => {
    const page = () =>
      new Response('<!doctype html>', { headers: { 'content-type': 'text/html; charset=utf-8' } });
    const { call, asked } = scripted([page, page, page, page]);
    for (const accept of ['application/json', '*/*'])
      await expect(call({ method: 'GET', path: '/exports/csv', headers: { accept } })).rejects.toThrow(
        new ConnectionError(
          'http://service.test answered with a web page: is it the address of the service?',
        ),
      );
    const report = await call({ method: 'GET', path: '/artifacts/report.html', headers: { accept: '*/*' } });
    expect(await report.text()).toBe('<!doctype html>');
    // Google answers so to a file that was put.
    await call({ method: 'PUT', path: 'https://storage.test/x' });
    expect(asked).toHaveLength(4);
  });

  it('leaves no answer unread, whose deadline would keep a program alive for a minute', async () => {
    const dropped: number[] = [];
    const unread = (code: number) => () =>
      new Response(new ReadableStream({ cancel: () => void dropped.push(code) }), {
        status: code,
        headers: { 'retry-after': '0' },
      });
    const { call } = scripted([unread(503), unread(200)]);
    await sendOnly(call, { method: 'DELETE', path: '/v1/analyses/job_1' });
    expect(dropped).toEqual([503, 200]);
  });

  it('repeats a POST only with an idempotency key, and with the same one', async () => {
    const bare = scripted([status(503), status(200)]);
    await expect(bare.call({ method: 'POST', path: '/x' })).rejects.toThrow(ApiError);
    expect(bare.asked).toHaveLength(1);

    const keyed = scripted([status(503), status(202)]);
    await keyed.call({ method: 'POST', path: '/x', idempotencyKey: 'abcdefgh' });
    expect(keyed.asked.map(({ init }) => new Headers(init.headers).get('idempotency-key'))).toEqual([
      'abcdefgh',
      'abcdefgh',
    ]);
  });

  it('does not repeat what cannot pass, and tells code, sentence and request id', async () => {
    const { call, asked } = scripted([status(402, { detail: 'Used up.', code: 'quota_exceeded' })]);
    const error = await call({ method: 'GET', path: '/x' }).catch((caught: unknown) => caught as ApiError);
    expect(error).toMatchObject({
      status: 402,
      code: 'quota_exceeded',
      message: 'Used up.',
      requestId: 'req_1',
    });
    expect(asked).toHaveLength(1);
  });

  it('reads a validation failure aloud', async () => {
    const { call } = scripted([status(422, { detail: [{ loc: ['body', 'email'], msg: 'Field required' }] })]);
    await expect(call({ method: 'POST', path: '/x' })).rejects.toThrow('body.email: Field required');
  });

  it('gives up after the last try', async () => {
    const { call, asked } = scripted([status(503), status(503), status(503)]);
    const error = await call({ method: 'GET', path: '/x' }).catch((caught: unknown) => caught as Error);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ cause: { message: 'connection refused' } });
    expect(asked).toHaveLength(4);
  });

  it('tries again when no answer came', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const refuse = () => {
      throw new TypeError('connection reset');
    };
    const { call, asked } = scripted([refuse, status(200, { fine: true })]);
    expect(await (await call({ method: 'GET', path: '/x' })).json()).toEqual({ fine: true });
    expect(asked).toHaveLength(2);
  });

  it('waits as long as the service asks before it tries again', async () => {
    vi.useFakeTimers();
    const busy = () => new Response(null, { status: 503, headers: { 'retry-after': '7' } });
    const { call, asked } = scripted([busy, status(200)]);
    const answered = call({ method: 'GET', path: '/x' });
    await vi.advanceTimersByTimeAsync(6_999);
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect((await answered).status).toBe(200);
  });

  it('waits the part of a second that it asks for', async () => {
    vi.useFakeTimers();
    const busy = () => new Response(null, { status: 503, headers: { 'retry-after': '1.25' } });
    const { call, asked } = scripted([busy, status(200)]);
    const answered = call({ method: 'GET', path: '/x' });
    await vi.advanceTimersByTimeAsync(1_249);
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect((await answered).status).toBe(200);
  });

  it('waits the minute that a limit by the minute can ask for', async () => {
    vi.useFakeTimers();
    const limited = () => new Response(null, { status: 429, headers: { 'retry-after': '60' } });
    const { call, asked } = scripted([limited, status(200)]);
    const answered = call({ method: 'GET', path: '/x' });
    await vi.advanceTimersByTimeAsync(59_999);
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect((await answered).status).toBe(200);
  });

  it('hands over the answer of a service that asks for longer than that, instead of trying too early', async () => {
    const body = JSON.stringify({ detail: 'Too many.', code: 'rate_limited' });
    const limited = () => new Response(body, { status: 429, headers: { 'retry-after': '61' } });
    const { call, asked } = scripted([limited, status(200)]);
    await expect(call({ method: 'GET', path: '/x' })).rejects.toMatchObject({
      status: 429,
      code: 'rate_limited',
      retryAfterSeconds: 61,
    });
    expect(asked).toHaveLength(1);
  });

  it.each(['', '-7', '7 s', 'soon', 'Wed, 21 Oct 2026 07:28:00 GMT', null])(
    'waits as it sees fit when the service asks for %j',
    async (retryAfter) => {
      vi.useFakeTimers();
      vi.spyOn(Math, 'random').mockReturnValue(1);
      const headers = retryAfter === null ? undefined : { 'retry-after': retryAfter };
      const { call, asked } = scripted([() => new Response(null, { status: 503, headers }), status(200)]);
      const answered = call({ method: 'GET', path: '/x' });
      await vi.advanceTimersByTimeAsync(399);
      expect(asked).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(1);
      expect((await answered).status).toBe(200);
    },
  );

  it.each([
    ['/v1/usage', 'http://service.test'],
    ['https://storage.test/slot?signature=secret', 'https://storage.test'],
  ])('says who did not answer %s, and nothing of a signature', async (path, origin) => {
    const { call } = scripted([]);
    await expect(call({ method: 'POST', path })).rejects.toThrow(
      new ConnectionError(`No answer from ${origin}`),
    );
  });

  it('says at once that an address is none', async () => {
    const fetch = vi.fn();
    const options = { baseUrl: 'service.test', token: null, retriesMax: 3, timeoutMs: 1_000, fetch };
    await expect(createTransport(options)({ method: 'GET', path: '/x' })).rejects.toThrow(
      new ConnectionError('Not an address: service.test/x'),
    );
    expect(fetch).not.toHaveBeenCalled();
  });

  it('tries again when an answer that is not wanted has broken off', async () => {
    const broken = () =>
      new Response(new ReadableStream({ pull: (body) => body.error(new Error('connection reset')) }), {
        status: 503,
        headers: { 'retry-after': '0' },
      });
    const { call } = scripted([broken, broken, status(200)]);
    await sendOnly(call, { method: 'DELETE', path: '/x' });
  });

  it('takes an address within a path for a part of it', async () => {
    const { call, asked } = scripted([status(200)]);
    await call({ method: 'GET', path: '/v1/songs/https:' });
    expect(asked[0]!.url).toBe('http://service.test/v1/songs/https:');
    expect(new Headers(asked[0]!.init.headers).get('authorization')).toBe('Bearer es_live_x');
  });

  it('hands on that nothing has changed', async () => {
    const { call } = scripted([() => new Response(null, { status: 304 })]);
    expect((await call({ method: 'GET', path: '/x' })).status).toBe(304);
  });

  it('sends a file as it is, and JSON as JSON', async () => {
    const { call, asked } = scripted([status(200), status(200), status(200)]);
    const body = new Blob(['RIFF']);
    await call({ method: 'PUT', path: '/x', body });
    await call({ method: 'PUT', path: '/x', json: null });
    await call({ method: 'GET', path: '/x' });
    const sent = asked.map(({ init }) => [init.body, new Headers(init.headers).get('content-type')]);
    expect(sent).toEqual([
      [body, null],
      ['null', 'application/json'],
      [undefined, null],
    ]);
  });

  it.each(['http://storage.test/slot?s=1', 'https://storage.test/slot?s=1'])(
    'gives no credentials to %s',
    async (path) => {
      const { call, asked } = scripted([status(200)]);
      await call({ method: 'PUT', path, query: { part: [1, 2, null] } });
      expect(asked[0]!.url).toBe(`${path}&part=1&part=2`);
      expect(new Headers(asked[0]!.init.headers).has('authorization')).toBe(false);
    },
  );

  it('stops trying when the caller does', async () => {
    const stop = new AbortController();
    const { call, asked } = scripted([
      () => {
        stop.abort(new Error('enough'));
        throw new TypeError('aborted');
      },
    ]);
    await expect(call({ method: 'GET', path: '/x', signal: stop.signal })).rejects.toThrow('enough');
    expect(asked).toHaveLength(1);
  });
});

describe('the deadline of an answer', () => {
  afterEach(() => {
    vi.useRealTimers();
  });
  const LATE_MS = 1_000;

  /** An answer whose body `start` writes. */
  async function open(start: (body: ReadableStreamDefaultController<Uint8Array>) => void) {
    vi.useFakeTimers();
    const { call, asked } = scripted([() => new Response(new ReadableStream({ start }))]);
    const response = await call({ method: 'GET', path: '/x' });
    return { response, signal: asked[0]!.init.signal! };
  }

  it('counts up to the last byte, and no longer', async () => {
    let writer: ReadableStreamDefaultController<Uint8Array>;
    const { response, signal } = await open((body) => {
      writer = body;
    });
    const reading = response.text();
    await vi.advanceTimersByTimeAsync(LATE_MS - 1);
    expect([signal.aborted, vi.getTimerCount()]).toEqual([false, 1]);
    writer!.enqueue(new TextEncoder().encode('fine'));
    writer!.close();
    expect(await reading).toBe('fine');
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(LATE_MS);
    expect(signal.aborted).toBe(false);
  });

  it('ends an answer that does not, which is a failed connection', async () => {
    let writer: ReadableStreamDefaultController<Uint8Array>;
    const { response, signal } = await open((body) => {
      writer = body;
    });
    const reading = response.text();
    reading.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(LATE_MS);
    // What fetch does with the body when its signal aborts.
    writer!.error(signal.reason);
    await expect(reading).rejects.toThrow(
      new ConnectionError('The answer of http://service.test broke off', { cause: signal.reason }),
    );
    expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
  });

  it.each([200, 503])('leaves the reason to a caller who stops while %i is read', async (code) => {
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
  });

  it('tells the status of an error whose sentence broke off', async () => {
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

  it('is over when the answer breaks off, and when nobody reads on', async () => {
    const broken = await open((body) => body.error(new Error('connection reset')));
    await expect(broken.response.text()).rejects.toMatchObject({
      name: 'ConnectionError',
      cause: { message: 'connection reset' },
    });
    expect(vi.getTimerCount()).toBe(0);
    const left = await open(() => {});
    await left.response.body!.cancel();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is over at once when there is no body, and when there is no answer', async () => {
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

  it('lasts as long as it is told, and leaves nothing behind', async () => {
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

  it('ends when the caller stops, before it or during it', async () => {
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
  it('doubles with jitter up to a bound', () => {
    expect([0, 1, 2, 10].map((attempt) => backoffMs(attempt, () => 1))).toEqual([400, 800, 1_600, 20_000]);
    expect(backoffMs(3, () => 0)).toBe(0);
  });
});
