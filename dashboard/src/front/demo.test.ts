import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const KEPT = JSON.stringify({ name: 'song.mp3', jobId: 'job_1', token: 'secret' });
const RESULT = { bpm: 120 };
let tab: Map<string, string>;

/** What this tab keeps, and what the service says to whoever asks for the song. */
async function arrive(answer: (url: URL) => Promise<Response>) {
  vi.stubGlobal('fetch', answer);
  const { restoreDemo } = await import('./demo.ts');
  const found = restoreDemo();
  // The client asks again after a while, twice.
  await vi.runAllTimersAsync();
  return found;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  vi.stubGlobal('window', { location: { origin: 'http://service.test' } });
  tab = new Map([['earshot.demo', KEPT]]);
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => tab.get(key) ?? null,
    removeItem: (key: string) => tab.delete(key),
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the song of the last demo, after a reload', () => {
  it('is there again', async () => {
    const asked: string[] = [];
    const answer = async (url: URL) => {
      asked.push(`${url.pathname}${url.search}`);
      return Response.json({ status: 'completed', result: RESULT });
    };
    expect(await arrive(answer)).toEqual({ name: 'song.mp3', result: RESULT });
    expect(asked).toEqual(['/v1/demo/analysis/job_1?token=secret']);
  });

  it('is asked for by nobody who had none', async () => {
    tab.clear();
    const fetched = vi.fn();
    expect(await arrive(fetched)).toBeNull();
    expect(fetched).not.toHaveBeenCalled();
  });

  it('is given up once the service has forgotten it', async () => {
    expect(await arrive(async () => Response.json({ detail: 'Gone.' }, { status: 404 }))).toBeNull();
    expect(tab.size).toBe(0);
  });

  it.each([
    ['offline', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['while the service is too busy', async () => Response.json({}, { status: 503 })],
  ])('is not given up %s: the next reload finds it', async (_, answer) => {
    expect(await arrive(answer)).toBeNull();
    expect(tab.get('earshot.demo')).toBe(KEPT);
  });
});
