import { Earshot, verifyWebhook } from '@earshot/sdk';
import { expect, it } from 'vitest';
import { pollEvents, takeSnapshot } from './poll.ts';

type Job = { id: string; status: string; created_at: string };

const job = (second: number, status: string): Job => ({
  id: `job_${second}`,
  status,
  created_at: new Date(second * 1_000).toISOString(),
});
const newestFirst = (count: number, status: string, secondOfOldest = 1): Job[] =>
  Array.from({ length: count }, (_, index) => job(secondOfOldest + count - 1 - index, status));

const SECRET = 'whsec_eA==';

/**
 * A service with these jobs, newest first, that lists them in pages. Each poll begins with a listing by time; before the second
 * one (the first is the snapshot's) and each that follows, the next of `changes` is applied. A change that throws fails it.
 */
function createService(jobs: Job[], changes: ((jobs: Job[]) => void)[]) {
  let listings = 0;
  const requests: string[] = [];
  const earshot = new Earshot({
    apiKey: 'es_live_secret',
    baseUrl: 'https://service.test',
    retriesMax: 0,
    fetch: async (input) => {
      const { pathname, searchParams } = new URL(String(input));
      requests.push(pathname);
      if (pathname !== '/v1/analyses') {
        const found = jobs.find(({ id }) => pathname.endsWith(id));
        return found ? Response.json(found) : Response.json({ code: 'not_found' }, { status: 404 });
      }
      const [after, status] = [searchParams.get('after'), searchParams.get('status')];
      const limit = Number(searchParams.get('limit'));
      const isSnapshotPage = limit === 50;
      if (after === null && status === null && !isSnapshotPage && listings++ > 0) changes.shift()?.(jobs);
      const createdAfter = searchParams.get('created_after') ?? '';
      const listed = jobs.filter(
        (one) => one.created_at >= createdAfter && (status === null || one.status === status),
      );
      const start = after === null ? 0 : listed.findIndex(({ id }) => id === after) + 1;
      const page = listed.slice(start, start + limit);
      const isLast = start + page.length === listed.length;
      const headers: HeadersInit = isLast
        ? {}
        : { link: `</v1/analyses?after=${page.at(-1)!.id}>; rel="next"` };
      return Response.json(page, { headers });
    },
  });
  return { earshot, requests };
}

/** The calls of as many events as are expected; then it stops. */
async function listen({ earshot }: { earshot: Earshot }, eventCount: number) {
  const stopping = new AbortController();
  const options = { secret: SECRET, service: 'https://service.test', intervalMs: 1, notify: () => {} };
  const calls = [];
  for await (const call of pollEvents(earshot, await takeSnapshot(earshot), {
    ...options,
    signal: stopping.signal,
  }))
    if (calls.push(call) === eventCount) stopping.abort();
  return calls;
}

async function listenForEvents(service: { earshot: Earshot }, eventCount: number): Promise<string[]> {
  return (await listen(service, eventCount)).map(({ body }) => {
    const { type, data } = JSON.parse(body);
    return `${type} ${data.job_id}`;
  });
}

it('reports a job that ends after newer ones have pushed it out of the listing', async () => {
  const jobs = [job(2, 'queued'), job(1, 'completed')];
  const service = createService(jobs, [
    () => jobs.unshift(...newestFirst(100, 'queued', 3)),
    () => jobs.splice(100, 1, job(2, 'failed')),
  ]);
  expect(await listenForEvents(service, 1)).toEqual(['analysis.failed job_2']);
});

it('reports jobs that were unfinished at the start, however many there are, without a request for each', async () => {
  const jobs = [...newestFirst(250, 'queued', 251), ...newestFirst(250, 'processing')];
  const service = createService(jobs, [() => jobs.splice(499, 1, job(1, 'completed'))]);
  expect(await listenForEvents(service, 1)).toEqual(['analysis.completed job_1']);
  expect(service.requests.filter((path) => path !== '/v1/analyses')).toEqual(['/v1/analyses/job_1']);
});

it('reports every job of a burst that is longer than a page, the oldest first, and each once', async () => {
  const burst = newestFirst(250, 'completed', 2);
  const service = createService(
    [job(1, 'completed')],
    [(jobs) => jobs.unshift(...burst), () => {}, (jobs) => jobs.unshift(job(252, 'completed'))],
  );
  const events = [...burst.toReversed(), job(252, 'completed')].map(({ id }) => `analysis.completed ${id}`);
  expect(await listenForEvents(service, 251)).toEqual(events);
});

it('goes on when a job is deleted before it has ended', async () => {
  const jobs = [...newestFirst(60, 'completed', 2), job(1, 'queued')];
  const service = createService(jobs, [
    () => {},
    () => jobs.splice(60, 1),
    () => jobs.unshift(job(62, 'completed')),
  ]);
  expect(await listenForEvents(service, 1)).toEqual(['analysis.completed job_62']);
  expect(service.requests).toContain('/v1/analyses/job_1');
});

it('does not report jobs that ended before the start, even when newer ones are deleted', async () => {
  const jobs = newestFirst(101, 'completed');
  const service = createService(jobs, [() => jobs.splice(0, 60), () => jobs.unshift(job(102, 'completed'))]);
  expect(await listenForEvents(service, 1)).toEqual(['analysis.completed job_102']);
});

it('does not report jobs that ended before the start, though a page breaks within their millisecond', async () => {
  const jobs = newestFirst(120, 'completed').map((one) => ({ ...one, created_at: job(1, '').created_at }));
  const service = createService(jobs, [() => jobs.unshift(job(121, 'completed'))]);
  expect(await listenForEvents(service, 1)).toEqual(['analysis.completed job_121']);
});

it('reports what ended while the service could not be reached', async () => {
  const jobs = [job(1, 'queued')];
  const refuse = () => {
    throw new TypeError('connection refused');
  };
  const service = createService(jobs, [refuse, refuse, () => jobs.splice(0, 1, job(1, 'completed'))]);
  expect(await listenForEvents(service, 1)).toEqual(['analysis.completed job_1']);
});

it('builds the event that a webhook delivers, with a valid signature', async () => {
  const failed = {
    ...job(1, 'failed'),
    completed_at: '2026-01-31T09:30:21.492Z',
    updated_at: '2026-01-31T09:30:22.000Z',
    metadata: { crate: 'Friday' },
    error: { code: 'corrupt_audio', message: 'The file breaks off before any audio.', retryable: false },
    file_name: 'song.mp3',
  };
  const jobs = [job(1, 'processing')];
  const [call] = await listen(createService(jobs, [() => jobs.splice(0, 1, failed)]), 1);
  expect(call!.headers['webhook-id']).toBe('poll_job_1');
  // The fields of AnalysisFailedPayload in contract/openapi.json.
  expect(await verifyWebhook(call!.body, call!.headers, SECRET)).toEqual({
    type: 'analysis.failed',
    timestamp: failed.completed_at,
    data: {
      job_id: 'job_1',
      status: 'failed',
      created_at: failed.created_at,
      completed_at: failed.completed_at,
      metadata: failed.metadata,
      error: failed.error,
      links: {
        job: 'https://service.test/v1/analyses/job_1',
        result: 'https://service.test/v1/analyses/job_1/result',
      },
    },
  });
});
