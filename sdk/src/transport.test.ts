import { describe, expect, it } from 'vitest';
import { ApiError, ConnectionError } from './errors.ts';
import { nextAfter } from './paginate.ts';
import { createTransport, retryDelayMs, sendOnly } from './transport.ts';

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
  it('repeats a read until it passes', async () => {
    const { call, asked } = scripted([status(503), status(429), status(200, { fine: true })]);
    const response = await call({ method: 'GET', path: '/v1/usage', query: { a: 1, b: undefined } });
    expect(await response.json()).toEqual({ fine: true });
    expect(asked.map(({ url }) => url)).toEqual(
      Array.from({ length: 3 }, () => 'http://service.test/v1/usage?a=1'),
    );
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
    await expect(call({ method: 'GET', path: '/x' })).rejects.toThrow(ConnectionError);
    expect(asked).toHaveLength(4);
  });
});

describe('retryDelayMs', () => {
  it('obeys the service, and else doubles with jitter up to a bound', () => {
    expect(retryDelayMs(0, '7')).toBe(7_000);
    expect(retryDelayMs(0, '3600')).toBe(20_000);
    expect([0, 1, 2, 10].map((attempt) => retryDelayMs(attempt, null, () => 1))).toEqual([
      400, 800, 1_600, 20_000,
    ]);
    expect(retryDelayMs(3, null, () => 0)).toBe(0);
    expect(retryDelayMs(0, 'Wed, 21 Oct 2026 07:28:00 GMT', () => 1)).toBe(400);
  });
});

describe('nextAfter', () => {
  it('finds the cursor, or the end', () => {
    expect(nextAfter('</v1/analyses?limit=2&after=job_9>; rel="next"')).toBe('job_9');
    expect(nextAfter(null)).toBeUndefined();
    expect(nextAfter('</v1/analyses?after=x>; rel="prev"')).toBeUndefined();
  });
});
