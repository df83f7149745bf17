import { afterEach, beforeEach, expect, it, vi } from 'vitest';

/** The service's responses, by the last segment of the path. */
let responses: Record<string, () => Response>;
/** The last path segment of each request that was sent. */
let requested: string[];

const REFUSED = () => Response.json({ detail: 'Sign in.' }, { status: 401 });

async function load() {
  const { prefetchSong, loadJob, loadParts } = await import('./song-requests.ts');
  return { prefetchSong, loadJob, loadParts };
}

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal('window', { location: { origin: 'http://service.test' } });
  requested = [];
  responses = {
    job_1: () => Response.json({ id: 'job_1', status: 'completed' }),
    result: () => Response.json({ status: 'completed', result: { bpm: 120 } }),
    corrections: () => Response.json({ tempo: null }),
  };
  vi.stubGlobal('fetch', async (url: URL | string) => {
    const segment = new URL(url).pathname.split('/').at(-1)!;
    requested.push(segment);
    return responses[segment]!();
  });
});

afterEach(() => vi.unstubAllGlobals());

it('sends all requests of a page before the first is answered', async () => {
  const { prefetchSong } = await load();
  prefetchSong('job_1');
  expect(requested).toEqual(['job_1', 'result', 'corrections']);
});

it('requests the parts again on a refetch, prefetched or not', async () => {
  const { prefetchSong, loadParts } = await load();
  prefetchSong('job_1');
  await loadParts('job_1', { refetch: true });
  expect(requested.slice(3)).toEqual(['result', 'corrections']);
});

it('does not use the requests of another song', async () => {
  const { prefetchSong, loadJob } = await load();
  responses.job_2 = () => Response.json({ id: 'job_2', status: 'completed' });
  prefetchSong('job_1');
  expect(await loadJob('job_2')).toMatchObject({ id: 'job_2' });
});

it('uses a prefetched request once; a second load sends its own', async () => {
  const { prefetchSong, loadJob, loadParts } = await load();
  prefetchSong('job_1');
  await loadJob('job_1');
  const [response] = await loadParts('job_1', { refetch: false });
  expect(response.result).toEqual({ bpm: 120 });
  expect(requested).toEqual(['job_1', 'result', 'corrections']);
  await loadJob('job_1');
  await loadParts('job_1', { refetch: false });
  expect(requested).toHaveLength(6);
});

it('sends requests again that were refused before the user signed in', async () => {
  const { prefetchSong, loadJob, loadParts } = await load();
  const signedIn = { ...responses };
  responses = { job_1: REFUSED, result: REFUSED, corrections: REFUSED };
  const { job, parts } = prefetchSong('job_1');
  await Promise.allSettled([job, parts]);
  responses = signedIn;
  expect(await loadJob('job_1')).toMatchObject({ status: 'completed' });
  const [response] = await loadParts('job_1', { refetch: false });
  expect(response.result).toEqual({ bpm: 120 });
});

it('requests the parts again when the song was still being analysed at the first request', async () => {
  const { loadJob, loadParts } = await load();
  const { result } = responses;
  responses.job_1 = () => Response.json({ id: 'job_1', status: 'processing' });
  responses.result = () => Response.json({ status: 'processing', result: null });
  await loadJob('job_1');
  responses.result = result!;
  const [response] = await loadParts('job_1', { refetch: false });
  expect(response.result).toEqual({ bpm: 120 });
});

it('does not use the parts that an earlier load of the song has left', async () => {
  const { prefetchSong, loadJob, loadParts } = await load();
  prefetchSong('job_1');
  await loadJob('job_1');
  responses.result = () => Response.json({ status: 'completed', result: { bpm: 130 } });
  await loadJob('job_1');
  const [response] = await loadParts('job_1', { refetch: false });
  expect(response.result).toEqual({ bpm: 130 });
});

it('requests the parts again when the analysis ended after they were read and before the job was', async () => {
  const { loadJob, loadParts } = await load();
  const { result } = responses;
  responses.result = () => Response.json({ status: 'processing', result: null });
  await loadJob('job_1');
  responses.result = result!;
  const [response] = await loadParts('job_1', { refetch: false });
  expect(response.result).toEqual({ bpm: 120 });
});
