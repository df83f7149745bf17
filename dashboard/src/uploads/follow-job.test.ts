import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const JOB = { id: 'job_1', status: 'processing', progress: 0 };
const frame = (id: string, event_type: string, message: string, metadata = {}) =>
  `id: ${id}\nevent: ${event_type}\ndata: ${JSON.stringify({ id, event_type, message, metadata })}\n\n`;

/** The page's own service: the job, and its event stream as given. */
function serve(events: () => Response) {
  vi.stubGlobal('fetch', async (url: URL | string) =>
    String(url).endsWith('/events') ? events() : Response.json(JOB),
  );
}

async function follow() {
  const { followJob } = await import('./follow-job.ts');
  const stages: [string, number][] = [];
  await followJob('job_1', (stage, fraction) => stages.push([stage, fraction]));
  return stages;
}

describe('followJob', () => {
  beforeEach(() => {
    // A page's address, and nothing else of a browser.
    vi.stubGlobal('window', { location: { origin: 'http://service.test' } });
  });
  afterEach(() => vi.unstubAllGlobals());

  it('tells the stages up to the end', async () => {
    serve(
      () =>
        new Response(
          frame('e1', 'job.started', 'Started') +
            frame('e2', 'analysis.progress', '', { stage: 'rhythm', progress: 0.4 }) +
            frame('e3', 'job.completed', 'Completed'),
        ),
    );
    expect(await follow()).toEqual([
      ['Started', 0.02],
      ['rhythm', 0.4],
      ['Done', 1],
    ]);
  });

  it('rejects with the sentence of a job that failed', async () => {
    serve(() => new Response(frame('e1', 'job.failed', 'This file holds no audio.')));
    await expect(follow()).rejects.toThrow('This file holds no audio.');
  });

  it.each([
    [401, 'Sign in again.'],
    [404, 'There is no such analysis.'],
  ])('rejects when the stream is refused with %d', async (status, detail) => {
    serve(() => Response.json({ detail }, { status }));
    await expect(follow()).rejects.toThrow(detail);
  });
});
