import { beforeEach, expect, it, vi } from 'vitest';

beforeEach(() => {
  // api.ts reads the origin; nothing else of a browser is needed.
  vi.stubGlobal('window', { location: { origin: 'http://service.test' } });
  return () => vi.unstubAllGlobals();
});

async function load(answer: object) {
  let requested = '';
  vi.stubGlobal('fetch', async (url: URL) => {
    requested = `${url.pathname}${url.search}`;
    return Response.json(answer);
  });
  const { loadGroups } = await import('./load-groups.ts');
  const outcome = await loadGroups('job_1', 'rhythm').catch((error: Error) => error.message);
  return { outcome, requested };
}

it('requests only the given groups of the result', async () => {
  const result = { bpm: 120 };
  expect(await load({ status: 'completed', result, error: null })).toEqual({
    outcome: result,
    requested: '/v1/analyses/job_1/result?groups=rhythm',
  });
});

it.each([
  ['with the reason of the service', { message: 'This file holds no audio.' }, 'This file holds no audio.'],
  ['with a sentence of its own where the service gives none', null, 'This analysis has no result.'],
])('rejects without a result, %s', async (_, error, message) => {
  expect((await load({ status: 'failed', result: null, error })).outcome).toBe(message);
});
