import { afterEach, describe, expect, it, vi } from 'vitest';
import { Earshot } from './client.ts';
import { ApiError, ConnectionError } from './errors.ts';
import { createTestService } from './test-service.ts';
import { verifyWebhook } from './webhooks.ts';

const unavailable = () => new Response(null, { status: 503, headers: { 'retry-after': '0' } });

describe('a client', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  it('uses the global fetch, and sends no credentials without a key', async () => {
    const fetch = vi.fn(async (_url: URL, _init: RequestInit) => Response.json({ fine: true }));
    vi.stubGlobal('fetch', fetch);
    expect(await new Earshot({ baseUrl: 'https://service.test//' }).request('getUsage', {})).toEqual({
      fine: true,
    });
    const [url, init] = fetch.mock.calls[0]!;
    expect(String(url)).toBe('https://service.test/v1/usage');
    expect(new Headers(init.headers).has('authorization')).toBe(false);
    // A browser's fetch fails as a method of another object.
    expect(fetch.mock.contexts).toEqual([undefined]);
  });

  it.each([
    'localhost:8080',
    'service.test',
    '',
    'https://',
    'ftp://service.test',
    'see https://service.test',
  ])('refuses %j as a base URL at once', (baseUrl) => {
    expect(() => new Earshot({ baseUrl })).toThrow(
      new TypeError(`baseUrl must start with http:// or https://: "${baseUrl}"`),
    );
  });

  it('takes a base URL with either scheme', () => {
    for (const baseUrl of ['http://localhost:8080', 'https://service.test'])
      expect(new Earshot({ baseUrl })).toBeInstanceOf(Earshot);
  });

  it.each(['{"id": "job_', '', 'It works!'])(
    'throws ConnectionError for a response with the body %j',
    async (text) => {
      const { earshot } = createTestService(({ method, path, json }) => {
        // The calls of a job need one to start with.
        if (path === '/v1/analyses/job_1' && method === 'GET') return Response.json({ id: 'job_1' });
        const isSlot =
          path === '/v1/storage-objects' && (json as { file_name: string }).file_name === 'a.wav';
        if (isSlot) return Response.json({ id: 'obj_1', signed_url: 'https://storage.test/obj_1' });
        return new Response(text, { headers: { 'content-type': 'application/json' } });
      });
      const job = await earshot.analyses.get('job_1');
      const calls = [
        () => earshot.analyses.create({ url: 'https://example.com/song.mp3' }),
        () => earshot.analyses.create({ file: new Blob(['song']), fileName: 'a.wav' }),
        () => earshot.analyses.create({ file: new Blob(['song']), fileName: 'b.wav' }),
        () => earshot.analyses.find(),
        () => earshot.analyses.list().next(),
        () => earshot.analyses.result('job_1'),
        () => earshot.analyses.events('job_1'),
        () => earshot.analyses.similar('job_1'),
        () => job.result(),
        () => job.cancel(),
        () => earshot.collections.get('col_1'),
        () => earshot.collections.order('col_1', 'harmonic'),
        () => earshot.page('listAnalyses'),
      ];
      for (const call of calls) await expect(call(), String(call)).rejects.toThrow(ConnectionError);
      // An operation may have an empty response.
      if (text !== '') await expect(earshot.request('getUsage', {})).rejects.toThrow(ConnectionError);
    },
  );

  it('verifies webhooks', () => {
    expect(new Earshot({ baseUrl: 'https://service.test' }).webhooks).toEqual({ verify: verifyWebhook });
  });

  it.each([
    [undefined, 5],
    [1, 2],
    [0, 1],
  ])('with retriesMax %s sends %i requests', async (retriesMax, requestCount) => {
    const { earshot, requests } = createTestService(unavailable, { retriesMax });
    await expect(earshot.request('getUsage', {})).rejects.toThrow(ApiError);
    expect(requests).toHaveLength(requestCount);
  });

  it.each([
    [undefined, 60_000],
    [70, 70],
  ])('with timeoutMs %s gives up after %i ms', async (timeoutMs, wantedMs) => {
    vi.useFakeTimers();
    const failures: string[] = [];
    const earshot = new Earshot({
      baseUrl: 'https://service.test',
      retriesMax: 0,
      timeoutMs,
      fetch: (_url, init) =>
        new Promise((_, reject) =>
          init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason)),
        ),
    });
    const requesting = earshot.request('getUsage', {}).catch((error: Error) => {
      failures.push((error.cause as Error).name);
      throw error;
    });
    requesting.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(wantedMs - 1);
    expect(failures).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(failures).toEqual(['TimeoutError']);
    await expect(requesting).rejects.toThrow(ConnectionError);
  });
});
