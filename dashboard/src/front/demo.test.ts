import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const STORED = JSON.stringify({ name: 'song.mp3', jobId: 'job_1', token: 'secret' });
const RESULT = { bpm: 120 };
/** The sessionStorage of the tab. */
let tab: Map<string, string>;

/** Loads the page with a service that answers requests for the demo like this. */
async function reload(answer: (url: URL) => Promise<Response>) {
  vi.stubGlobal('fetch', answer);
  const { restoreDemo } = await import('./demo.ts');
  const restored = restoreDemo();
  // The SDK retries after delays.
  await vi.runAllTimersAsync();
  return restored;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  vi.stubGlobal('window', { location: { origin: 'http://service.test' } });
  tab = new Map([['earshot.demo', STORED]]);
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => tab.get(key) ?? null,
    setItem: (key: string, value: string) => tab.set(key, value),
    removeItem: (key: string) => tab.delete(key),
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the song of the last demo, after a reload', () => {
  it('is restored', async () => {
    const requests: string[] = [];
    const answer = async (url: URL) => {
      requests.push(`${url.pathname}${url.search}`);
      return Response.json({ status: 'completed', result: RESULT });
    };
    expect(await reload(answer)).toEqual({ id: 'job_1', name: 'song.mp3', result: RESULT });
    expect(requests).toEqual(['/v1/demo/analysis/job_1?token=secret']);
  });

  it('is not requested when there was none', async () => {
    tab.clear();
    const fetched = vi.fn();
    expect(await reload(fetched)).toBeNull();
    expect(fetched).not.toHaveBeenCalled();
  });

  it('is forgotten once the service no longer has it', async () => {
    expect(await reload(async () => Response.json({ detail: 'Gone.' }, { status: 404 }))).toBeNull();
    expect(tab.size).toBe(0);
  });

  it.each([
    ['offline', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['while the service is too busy', async () => Response.json({}, { status: 503 })],
  ])('is not forgotten %s: the next reload can restore it', async (_, answer) => {
    expect(await reload(answer)).toBeNull();
    expect(tab.get('earshot.demo')).toBe(STORED);
  });
});

it('a sample song that the service does not have is an error that can be shown', async () => {
  vi.stubGlobal('fetch', async () => Response.json({}, { status: 404 }));
  const { loadSample } = await import('./demo.ts');
  await expect(loadSample()).rejects.toThrow(/^The sample song could not be loaded\.$/);
});

describe('analyseDemo', () => {
  const ACCEPTED = { job_id: 'job_1', poll_url: 'http://behind-the-proxy.test/poll?token=secret' };
  beforeEach(() => {
    tab.clear();
    vi.stubGlobal(
      'XMLHttpRequest',
      class {
        readonly upload = { onprogress: (_: object) => {} };
        readonly status = 202;
        readonly responseText = JSON.stringify(ACCEPTED);
        onload = () => {};
        open() {}
        send() {
          this.upload.onprogress({ lengthComputable: true, loaded: 1, total: 2 });
          queueMicrotask(() => this.onload());
        }
      },
    );
  });

  /** Analyses a song of which the service gives these statuses, one per poll. */
  async function analyse(...statuses: object[]) {
    const polled: string[] = [];
    vi.stubGlobal('fetch', async (url: URL) => {
      polled.push(`${url.origin}${url.pathname}${url.search}`);
      return Response.json(statuses.shift());
    });
    const { analyseDemo } = await import('./demo.ts');
    const stages: [string, number][] = [];
    const outcome = analyseDemo(new File(['RIFF'], 'song.mp3'), (...stage) => stages.push(stage)).catch(
      (error: Error) => error.message,
    );
    await vi.runAllTimersAsync();
    return { outcome: await outcome, stages, polled };
  }

  it('reports its progress, polls the page’s own origin and stores the song for a reload', async () => {
    const { outcome, stages, polled } = await analyse(
      { status: 'processing', result: null, progress: 0.4 },
      { status: 'completed', result: RESULT },
    );
    expect(outcome).toEqual({ id: 'job_1', name: 'song.mp3', result: RESULT });
    expect(stages).toEqual([
      ['Uploading', 0],
      ['Uploading', 0.5],
      ['Analysing', 0.4],
    ]);
    expect(polled).toEqual(Array(2).fill('http://service.test/v1/demo/analysis/job_1?token=secret'));
    expect(tab.get('earshot.demo')).toBe(STORED);
  });

  it('rejects with the reason of a failed analysis and stores nothing', async () => {
    const { outcome } = await analyse({ status: 'failed', result: null, error: 'This file holds no audio.' });
    expect(outcome).toBe('This file holds no audio.');
    expect(tab.size).toBe(0);
  });
});
