import { Earshot } from '@earshot/sdk';
import { expect, it } from 'vitest';
import { pollEvents, readJobs } from './poll.ts';

type Job = { id: string; status: string; created_at: string };

const job = (second: number, status: string): Job => ({
  id: `job_${second}`,
  status,
  created_at: new Date(second * 1_000).toISOString(),
});

/** A service with these jobs, newest first, in pages; every listing after the first is preceded by one of the changes, which may fail it. */
function createService(jobs: Job[], changes: ((jobs: Job[]) => void)[]) {
  let listings = 0;
  return new Earshot({
    apiKey: 'es_live_secret',
    baseUrl: 'https://service.test',
    retriesMax: 0,
    fetch: async (input) => {
      const { pathname, searchParams } = new URL(String(input));
      if (pathname !== '/v1/analyses') {
        const found = jobs.find(({ id }) => pathname.endsWith(id));
        return found ? Response.json(found) : Response.json({ code: 'not_found' }, { status: 404 });
      }
      const after = searchParams.get('after');
      if (after === null && listings++ > 0) changes.shift()?.(jobs);
      const createdAfter = searchParams.get('created_after') ?? '';
      const listed = jobs.filter(({ created_at }) => created_at >= createdAfter);
      const start = after === null ? 0 : listed.findIndex(({ id }) => id === after) + 1;
      const page = listed.slice(start, start + Number(searchParams.get('limit')));
      const isLast = start + page.length === listed.length;
      const headers: HeadersInit = isLast
        ? {}
        : { link: `</v1/analyses?after=${page.at(-1)!.id}>; rel="next"` };
      return Response.json(page, { headers });
    },
  });
}

async function listen(earshot: Earshot, eventCount: number): Promise<string[]> {
  const stopping = new AbortController();
  const options = { secret: 'whsec_eA==', service: 'https://service.test', intervalMs: 1, tell: () => {} };
  const told: string[] = [];
  for await (const { body } of pollEvents(earshot, await readJobs(earshot), {
    ...options,
    signal: stopping.signal,
  })) {
    const { type, data } = JSON.parse(body);
    if (told.push(`${type} ${data.job_id}`) === eventCount) stopping.abort();
  }
  return told;
}

it('tells what ends from then on, also of a job that newer ones push off the page', async () => {
  const jobs = [job(2, 'queued'), job(1, 'completed')];
  const newer = Array.from({ length: 100 }, (_, index) => job(102 - index, 'queued'));
  const service = createService(jobs, [
    () => jobs.unshift(...newer),
    () => jobs.splice(100, 1, job(2, 'failed')),
  ]);
  expect(await listen(service, 1)).toEqual(['analysis.failed job_2']);
});

it('tells every end of a burst that is longer than a page', async () => {
  const burst = Array.from({ length: 250 }, (_, index) => job(251 - index, 'completed'));
  const service = createService([job(1, 'completed')], [(jobs) => jobs.unshift(...burst)]);
  const ids = burst.map(({ id }) => `analysis.completed ${id}`).reverse();
  expect(await listen(service, 250)).toEqual(ids);
}, 5_000);

it('goes on when a job is deleted before it has ended', async () => {
  const jobs = [job(1, 'queued')];
  const service = createService(jobs, [
    () => undefined,
    () => jobs.splice(0, 1),
    () => jobs.unshift(job(2, 'completed')),
  ]);
  expect(await listen(service, 1)).toEqual(['analysis.completed job_2']);
});

it('does not tell what ended long ago and comes onto the page when a newer one is deleted', async () => {
  const jobs = Array.from({ length: 101 }, (_, index) => job(101 - index, 'completed'));
  const service = createService(jobs, [() => jobs.splice(0, 1), () => jobs.unshift(job(102, 'completed'))]);
  expect(await listen(service, 1)).toEqual(['analysis.completed job_102']);
});

it('goes on when the service was away, and tells what ended meanwhile', async () => {
  const jobs = [job(1, 'queued')];
  const refuse = () => {
    throw new TypeError('connection refused');
  };
  const service = createService(jobs, [refuse, refuse, () => jobs.splice(0, 1, job(1, 'completed'))]);
  expect(await listen(service, 1)).toEqual(['analysis.completed job_1']);
});
