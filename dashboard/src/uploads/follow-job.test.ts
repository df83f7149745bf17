import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isPermanent } from './job-follower.ts';

const JOB = { id: 'job_1', status: 'processing', progress: 0 };
/** Longer than the SDK is willing to wait: it hands the refusal on at once. */
const NO_RETRY = { 'retry-after': '600' };
const frame = (id: string, event_type: string, message: string, metadata = {}) =>
  `id: ${id}\nevent: ${event_type}\ndata: ${JSON.stringify({ id, event_type, message, metadata })}\n\n`;

/** The page's own service: the job, and its event stream as given. */
function serve(events: (signal: AbortSignal) => Response) {
  vi.stubGlobal('fetch', async (url: URL | string, { signal }: { signal: AbortSignal }) =>
    String(url).endsWith('/events') ? events(signal) : Response.json(JOB),
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
      ['Rhythm', 0.4],
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

  it('closes the stream of a page that is left', async () => {
    const { followJob } = await import('./follow-job.ts');
    const leave = new AbortController();
    let closed = false;
    serve((signal) => {
      const body = new ReadableStream({
        start(stream) {
          stream.enqueue(new TextEncoder().encode(frame('e1', 'job.started', 'Started')));
          signal.addEventListener('abort', () => {
            closed = true;
            stream.error(signal.reason);
          });
        },
      });
      return new Response(body);
    });
    const following = followJob('job_1', () => leave.abort(new Error('left')), leave.signal);
    await expect(following).rejects.toThrow('left');
    expect(closed).toBe(true);
  });

  it.each([
    ['a job that failed', () => new Response(frame('e1', 'job.failed', 'No audio.')), true],
    ['one that was canceled', () => new Response(frame('e1', 'job.canceled', 'Canceled.')), true],
    ['one that was deleted', () => Response.json({ detail: 'No such analysis.' }, { status: 404 }), true],
    [
      'too many streams',
      () => Response.json({ detail: 'Too many.' }, { status: 429, headers: NO_RETRY }),
      false,
    ],
    ['a session that ended', () => Response.json({ detail: 'Sign in.' }, { status: 401 }), false],
  ])('knows whether there is more to follow: %s', async (_, events, over) => {
    serve(events);
    expect(isPermanent(await follow().catch((error: unknown) => error))).toBe(over);
  });
});
