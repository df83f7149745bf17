import { Earshot } from '@earshot/sdk';
import { describe, expect, it } from 'vitest';
import type { Watch } from './backend.ts';
import { createServiceBackend } from './service-backend.ts';

const job = (status: string, progress: number) => ({
  id: 'job_1',
  status,
  progress,
  file_name: 'song.mp3',
  error: status === 'failed' ? { code: 'no_audio', message: 'There is no audio in it.' } : null,
});

type OpenFile = Parameters<typeof createServiceBackend>[1];

/** A backend whose service answers the reads of the job in turn, and its result with 120 BPM. */
function createBackend(jobs: ReturnType<typeof job>[], openFile: OpenFile = null) {
  const requests: string[] = [];
  const steps: number[] = [];
  const fetch = async (input: URL | RequestInfo, init?: RequestInit) => {
    init?.signal?.throwIfAborted();
    const { pathname, search } = new URL(String(input));
    requests.push(
      `${init?.method} ${pathname}${search} ${new Headers(init?.headers).get('prefer') ?? ''}`.trim(),
    );
    if (pathname.endsWith('/result')) return Response.json({ status: 'completed', result: { bpm: 120 } });
    if (search !== '') return Response.json(jobs);
    return Response.json(jobs.shift(), { headers: { 'preference-applied': 'wait=2' } });
  };
  const earshot = new Earshot({ baseUrl: 'https://service.test', retriesMax: 0, fetch });
  const watch = (waitMs: number): Watch => ({
    waitMs,
    signal: new AbortController().signal,
    onProgress: (progress) => steps.push(progress),
  });
  return { backend: createServiceBackend(earshot, openFile), requests, steps, watch };
}

describe('an analysis of the service', () => {
  it('is polled with progress until it has completed, and then has its result', async () => {
    const { backend, requests, steps, watch } = createBackend([
      job('queued', 0),
      job('processing', 0.5),
      job('completed', 1),
    ]);
    expect(await backend.get('job_1', watch(60_000))).toEqual({
      id: 'job_1',
      status: 'completed',
      progress: 1,
      name: 'song.mp3',
      result: { bpm: 120 },
      error: null,
    });
    expect(steps).toEqual([0.5, 1]);
    expect(requests).toEqual([
      'GET /v1/analyses/job_1',
      'GET /v1/analyses/job_1 wait=2',
      'GET /v1/analyses/job_1 wait=2',
      'GET /v1/analyses/job_1/result',
    ]);
  });

  it('is returned unfinished when the time is over', async () => {
    const { backend, requests, watch } = createBackend([job('processing', 0.5)]);
    expect(await backend.get('job_1', watch(0))).toMatchObject({ status: 'processing', result: null });
    expect(requests).toEqual(['GET /v1/analyses/job_1']);
  });

  it('that failed has the reason in place of a result', async () => {
    const { backend, watch } = createBackend([job('failed', 0.2)]);
    expect(await backend.get('job_1', watch(60_000))).toMatchObject({
      status: 'failed',
      result: null,
      error: 'There is no audio in it.',
    });
  });

  it('is listed without its result', async () => {
    const { backend, requests } = createBackend([job('completed', 1)]);
    expect(await backend.list(5)).toEqual([
      { id: 'job_1', status: 'completed', name: 'song.mp3', progress: 1, error: null },
    ]);
    expect(requests).toEqual(['GET /v1/analyses?limit=5']);
  });
});

describe('a canceled call', () => {
  const signal = AbortSignal.abort(new Error('canceled'));

  it('submits nothing', async () => {
    const openFile = async () => ({ file: new Blob(['song']), fileName: 'song.mp3' });
    const { backend, requests, watch } = createBackend([], openFile);
    const canceled = { ...watch(60_000), signal };
    await expect(backend.analyseFile!('song.mp3', canceled)).rejects.toThrow('canceled');
    await expect(backend.analyseUrl!('https://a.example/song.mp3', canceled)).rejects.toThrow('canceled');
    expect(requests).toEqual([]);
  });

  it.each(['queued', 'completed'])('follows no %s job', async (status) => {
    const { backend, requests, watch } = createBackend([job(status, 1)]);
    await expect(backend.get('job_1', { ...watch(60_000), signal })).rejects.toThrow('canceled');
    expect(requests).toEqual(['GET /v1/analyses/job_1']);
  });
});

it('a backend that cannot open files does not analyse them', () => {
  expect(createBackend([]).backend.analyseFile).toBeNull();
});
