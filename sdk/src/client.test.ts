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

  it('asks with the fetch of its surroundings, and without a key nobody is named', async () => {
    const fetch = vi.fn(async (_url: URL, _init: RequestInit) => Response.json({ fine: true }));
    vi.stubGlobal('fetch', fetch);
    expect(await new Earshot({ baseUrl: 'https://service.test//' }).request('getUsage', {})).toEqual({
      fine: true,
    });
    const [url, init] = fetch.mock.calls[0]!;
    expect(String(url)).toBe('https://service.test/v1/usage');
    expect(new Headers(init.headers).has('authorization')).toBe(false);
  });

  it.each(['localhost:8080', 'service.test', '', 'ftp://service.test'])(
    'refuses %j as an address at once',
    (baseUrl) => {
      expect(() => new Earshot({ baseUrl })).toThrow(
        new TypeError(`baseUrl has to begin with http:// or https://, which "${baseUrl}" does not`),
      );
    },
  );

  it.each(['{"id": "job_', '', 'It works!'])('takes %j for no answer of the service', async (text) => {
    const { earshot } = createTestService(({ method, path, json }) => {
      // Known already: what is asked of a job needs one.
      if (path === '/v1/analyses/job_1' && method === 'GET') return Response.json({ id: 'job_1' });
      const isSlot = path === '/v1/storage-objects' && (json as { file_name: string }).file_name === 'a.wav';
      if (isSlot) return Response.json({ id: 'obj_1', signed_url: 'https://storage.test/obj_1' });
      return new Response(text, { headers: { 'content-type': 'application/json' } });
    });
    const job = await earshot.analyses.get('job_1');
    const asks = [
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
    for (const ask of asks) await expect(ask(), String(ask)).rejects.toThrow(ConnectionError);
    // An operation may answer with nothing at all.
    if (text !== '') await expect(earshot.request('getUsage', {})).rejects.toThrow(ConnectionError);
  });

  it('verifies webhooks', () => {
    expect(new Earshot({ baseUrl: 'https://service.test' }).webhooks).toEqual({ verify: verifyWebhook });
  });

  it.each([
    [undefined, 5],
    [1, 2],
    [0, 1],
  ])('told to try %s times more asks %i times', async (retriesMax, times) => {
    const { earshot, asked } = createTestService(unavailable, { retriesMax });
    await expect(earshot.request('getUsage', {})).rejects.toThrow(ApiError);
    expect(asked).toHaveLength(times);
  });

  it.each([
    [undefined, 60_000],
    [70, 70],
  ])('told to wait %s ms waits %i', async (timeoutMs, wanted) => {
    vi.useFakeTimers();
    const ended: string[] = [];
    const earshot = new Earshot({
      baseUrl: 'https://service.test',
      retriesMax: 0,
      timeoutMs,
      fetch: (_url, init) =>
        new Promise((_, reject) =>
          init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason)),
        ),
    });
    const asking = earshot.request('getUsage', {}).catch((error: Error) => {
      ended.push((error.cause as Error).name);
      throw error;
    });
    asking.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(wanted - 1);
    expect(ended).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toEqual(['TimeoutError']);
    await expect(asking).rejects.toThrow(ConnectionError);
  });
});
