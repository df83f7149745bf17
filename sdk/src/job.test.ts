import { afterEach, describe, expect, it, vi } from 'vitest';
import { Earshot } from './client.ts';
import { AnalysisFailed, ApiError } from './errors.ts';
import { Job, type JobData } from './job.ts';
import { createTestService } from './test-service.ts';
import type { Call } from './transport.ts';

/** A response that the service has held, as asked. */
const job = (status: string, progress = 0) =>
  Response.json({ id: 'job/1', status, progress }, { headers: { 'preference-applied': 'wait=30' } });
const failure = { code: 'no_audio', message: 'There is no audio in it.', retryable: true };

describe('waiting for a job', () => {
  it('polls with held responses until the job has ended, then reads its result', async () => {
    const { earshot, requests } = createTestService(({ path }, nth) =>
      path.endsWith('/result')
        ? Response.json({ status: 'completed', result: { bpm: 120 } })
        : job(nth < 4 ? 'processing' : 'completed', nth / 4),
    );
    const waited = await earshot.analyses.get('job/1');
    expect([waited.id, waited.status, waited.progress]).toEqual(['job/1', 'processing', 0.25]);
    expect((await waited.wait()).result).toEqual({ bpm: 120 });
    expect(waited.data).toMatchObject({ status: 'completed', progress: 1 });
    expect(requests.map(({ path, headers }) => [path, headers.get('prefer')])).toEqual([
      ['/v1/analyses/job%2F1', null],
      ['/v1/analyses/job%2F1', 'wait=30'],
      ['/v1/analyses/job%2F1', 'wait=30'],
      ['/v1/analyses/job%2F1', 'wait=30'],
      ['/v1/analyses/job%2F1/result', null],
    ]);
  });

  it.each([
    ['failed', failure, failure],
    ['canceled', null, { code: 'canceled', message: 'The analysis was canceled', retryable: false }],
    ['completed', null, { code: 'result_deleted', message: 'The result was deleted', retryable: false }],
  ])('throws the reason if the job is %s and has no result', async (status, error, wanted) => {
    const { earshot } = createTestService(({ path }) =>
      path.endsWith('/result') ? Response.json({ status, error, result: null }) : job(status),
    );
    const thrown = await (await earshot.analyses.get('job/1')).wait().catch((caught: unknown) => caught);
    expect(thrown).toBeInstanceOf(AnalysisFailed);
    expect(thrown).toMatchObject({ name: 'AnalysisFailed', ...wanted });
  });

  it('throws if the job has failed, even if the answer contains a result', async () => {
    const { earshot } = createTestService(({ path }) =>
      path.endsWith('/result')
        ? Response.json({ status: 'failed', error: failure, result: {} })
        : job('failed'),
    );
    await expect((await earshot.analyses.get('job/1')).wait()).rejects.toThrow(AnalysisFailed);
  });

  it('passes the signal of the caller to every request', async () => {
    const stop = new AbortController();
    const calls: Call[] = [];
    const answers: Record<string, () => Response> = {
      '/events': () => new Response('data: {"id":"1","event_type":"job.completed","metadata":{}}\n\n'),
      '/result': () => Response.json({ status: 'completed', result: {} }),
    };
    const waited = new Job(
      async (call) => {
        calls.push(call);
        const kind = Object.keys(answers).find((end) => call.path.endsWith(end));
        return kind ? answers[kind]!() : job(calls.length < 3 ? 'processing' : 'completed');
      },
      { id: 'job/1', status: 'queued', progress: 0 } as JobData,
    );
    await waited.wait({ signal: stop.signal, onProgress: () => undefined });
    expect(calls.map(({ path }) => path.replace('/v1/analyses/job%2F1', ''))).toEqual([
      '/events',
      '',
      '',
      '/result',
    ]);
    expect(new Set(calls.map(({ signal }) => signal))).toEqual(new Set([stop.signal]));
  });

  it('reports progress with each event, and the end', async () => {
    const events = [
      { id: '1', event_type: 'job.started', metadata: { stage: 'decoding', progress: 0.1 } },
      { id: '2', event_type: 'analysis.progress', metadata: { stage: 'rhythm', progress: 0.5 } },
      { id: '3', event_type: 'analysis.progress', metadata: { stage: 'rhythm' } },
      { id: '4', event_type: 'analysis.progress', metadata: { progress: 0.7 } },
      { id: '5', event_type: 'job.completed', metadata: {} },
    ];
    const { earshot } = createTestService(({ path }, nth) => {
      if (path.endsWith('/events'))
        return new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
      if (path.endsWith('/result')) return Response.json({ status: 'completed', result: {} });
      return nth === 1 ? job('queued') : job('completed', 1);
    });
    const reported: [string, number, string | null | undefined][] = [];
    const waited = await earshot.analyses.get('job/1');
    await waited.wait({
      onProgress: ({ status, progress, data }) => reported.push([status, progress, data.stage]),
    });
    expect(reported).toEqual([
      ['processing', 0.5, 'rhythm'],
      ['completed', 1, undefined],
    ]);
  });

  it('reports a finished job once, without replaying its log', async () => {
    const { earshot, requests } = createTestService(({ path }) =>
      path.endsWith('/result') ? Response.json({ status: 'completed', result: {} }) : job('completed', 1),
    );
    const reported: [string, number][] = [];
    const ended = await earshot.analyses.get('job/1');
    await ended.wait({ onProgress: ({ status, progress }) => reported.push([status, progress]) });
    expect(reported).toEqual([['completed', 1]]);
    expect(requests.map(({ path }) => path)).toEqual(['/v1/analyses/job%2F1', '/v1/analyses/job%2F1/result']);
  });

  it.each([429, 503])('polls if the event stream is refused with %i: too many are open', async (status) => {
    const { earshot } = createTestService(({ path }, nth) => {
      if (path.endsWith('/events')) return Response.json({ detail: 'Close one, or poll.' }, { status });
      if (path.endsWith('/result')) return Response.json({ status: 'completed', result: {} });
      return nth < 4 ? job('processing', nth / 4) : job('completed', 1);
    });
    const reported: [string, number][] = [];
    const polled = await earshot.analyses.get('job/1');
    await polled.wait({ onProgress: ({ status, progress }) => reported.push([status, progress]) });
    expect(reported).toEqual([
      ['processing', 0.75],
      ['completed', 1],
    ]);
  });

  it.each([429, 503])(
    'ends with an error %i that onProgress throws for a call of its own',
    async (status) => {
      const progress = {
        id: '1',
        event_type: 'analysis.progress',
        metadata: { stage: 'rhythm', progress: 0.5 },
      };
      const { earshot } = createTestService(({ path }, nth) => {
        if (path.endsWith('/events')) return new Response(`data: ${JSON.stringify(progress)}\n\n`);
        if (path.endsWith('/result')) return Response.json({ status: 'completed', result: {} });
        return nth === 1 ? job('queued') : job('completed', 1);
      });
      const error = new ApiError(status, null, null);
      const onProgress = vi.fn().mockImplementationOnce(() => {
        throw error;
      });
      await expect((await earshot.analyses.get('job/1')).wait({ onProgress })).rejects.toBe(error);
    },
  );

  it('does not poll if the event stream is refused for another reason', async () => {
    const { earshot } = createTestService(({ path }) =>
      path.endsWith('/events') ? Response.json({ code: 'not_found' }, { status: 404 }) : job('queued'),
    );
    const waiting = (await earshot.analyses.get('job/1')).wait({ onProgress: () => undefined });
    await expect(waiting).rejects.toMatchObject({ code: 'not_found' });
  });

  describe('with a clock', () => {
    afterEach(() => vi.useRealTimers());

    /** The 30 s that the service waits, and nearly the whole timeout of a second. */
    const HELD_MS = 30_900;
    it('adds the time that the service is asked to wait to the timeout', async () => {
      vi.useFakeTimers();
      const earshot = new Earshot({
        baseUrl: 'https://service.test',
        retriesMax: 0,
        timeoutMs: 1_000,
        fetch: (_input, init) =>
          new Promise((resolve, reject) => {
            const isHeld = new Headers(init?.headers).get('prefer') === 'wait=30';
            setTimeout(() => resolve(job('queued')), isHeld ? HELD_MS : 0);
            init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
          }),
      });
      const getting = earshot.analyses.get('job/1');
      await vi.advanceTimersByTimeAsync(0);
      const refreshing = (await getting).refresh({ waitSeconds: 30 });
      refreshing.catch(() => undefined);
      await vi.advanceTimersByTimeAsync(HELD_MS);
      expect((await refreshing).status).toBe('queued');
    });

    it('polls once a second if the service does not hold its response', async () => {
      vi.useFakeTimers();
      const { earshot, requests } = createTestService(({ path }, nth) =>
        path.endsWith('/result')
          ? Response.json({ status: 'completed', result: {} })
          : Response.json({ id: 'job/1', status: nth < 4 ? 'queued' : 'completed', progress: 0 }),
      );
      const waiting = (await earshot.analyses.get('job/1')).wait();
      const requestCounts: number[] = [];
      for (const passedMs of [0, 999, 1, 1000]) {
        await vi.advanceTimersByTimeAsync(passedMs);
        requestCounts.push(requests.length);
      }
      expect(requestCounts).toEqual([2, 2, 3, 5]);
      await waiting;
    });
  });
});

describe('canceling a job', () => {
  const refusal = () => Response.json({ detail: 'It has ended.', code: 'already_finished' }, { status: 409 });

  it('is canceled once, however often one asks and though the first answer is lost', async () => {
    let status = 'queued';
    const { earshot, requests } = createTestService(
      ({ method }) => {
        if (method === 'GET') return job(status);
        if (status === 'canceled') return refusal();
        status = 'canceled';
        throw new TypeError('connection reset');
      },
      { retriesMax: 1 },
    );
    const canceled = await earshot.analyses.get('job/1');
    for (const _ of ['once', 'twice']) {
      await canceled.cancel();
      expect(canceled.status).toBe('canceled');
    }
    const posts = requests.filter(({ method }) => method === 'POST');
    expect(posts.map(({ path, headers }) => [path, headers.get('idempotency-key')])).toEqual(
      Array(3).fill(['/v1/analyses/job%2F1/cancel', 'cancel-job/1']),
    );
  });

  it('is refused for another reason, even if the job is canceled', async () => {
    const { earshot } = createTestService(({ method }) =>
      method === 'POST' ? Response.json({ code: 'forbidden' }, { status: 403 }) : job('canceled'),
    );
    const canceled = await earshot.analyses.get('job/1');
    await expect(canceled.cancel()).rejects.toMatchObject({ name: 'ApiError', code: 'forbidden' });
  });

  it('is refused if the job has completed, and shows its status', async () => {
    const { earshot } = createTestService(({ method }, nth) =>
      method === 'POST' ? refusal() : job(nth === 1 ? 'processing' : 'completed'),
    );
    const completed = await earshot.analyses.get('job/1');
    await expect(completed.cancel()).rejects.toMatchObject({ name: 'ApiError', code: 'already_finished' });
    expect(completed.status).toBe('completed');
  });

  it('stops when the caller aborts', async () => {
    const { earshot } = createTestService(() => job('queued'), {
      fetch: async (_input, init) => {
        init?.signal?.throwIfAborted();
        return job('queued');
      },
    });
    const queued = await earshot.analyses.get('job/1');
    const stopped = queued.cancel({ signal: AbortSignal.abort(new Error('enough')) });
    await expect(stopped).rejects.toThrow('enough');
  });
});
