import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isPermanent } from './job-follower.ts';

const JOB = { id: 'job_1', status: 'processing', progress: 0 };
/** Longer than the SDK waits before a retry, so it passes the refusal on at once. */
const NO_RETRY = { 'retry-after': '600' };
const frame = (id: string, event_type: string, message: string, metadata = {}) =>
  `id: ${id}\nevent: ${event_type}\ndata: ${JSON.stringify({ id, event_type, message, metadata })}\n\n`;

/** A service with one job and the given event stream. */
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
    // api.ts reads the origin; nothing else of a browser is needed.
    vi.stubGlobal('window', { location: { origin: 'http://service.test' } });
  });
  afterEach(() => vi.unstubAllGlobals());

  it('reports the progress of each stage up to the end, and no other event moves it back', async () => {
    const progress = (id: string, stage: string, fraction: number) =>
      frame(id, 'analysis.progress', '', { stage, progress: fraction });
    // In the order of the service, which decodes and analyses at the same time and logs the length afterwards.
    serve(
      () =>
        new Response(
          frame('e1', 'job.started', 'Started') +
            progress('e2', 'downloading', 0) +
            frame('e3', 'source.downloaded', 'Downloaded') +
            progress('e4', 'decoding', 0.1) +
            progress('e5', 'analysing', 0.9) +
            frame('e6', 'audio.decoded', 'Decoded') +
            progress('e7', 'saving', 0.98) +
            frame('e8', 'job.completed', 'Completed'),
        ),
    );
    expect(await follow()).toEqual([
      ['Downloading', 0],
      ['Decoding', 0.1],
      ['Analysing', 0.9],
      ['Saving', 0.98],
      ['Done', 1],
    ]);
  });

  it('rejects with the message of a failed job', async () => {
    serve(() => new Response(frame('e1', 'job.failed', 'This file holds no audio.')));
    await expect(follow()).rejects.toThrow('This file holds no audio.');
  });

  it.each([
    [401, 'Sign in again.'],
    [404, 'There is no such analysis.'],
  ])('rejects with the reason when the stream is refused with %d', async (status, detail) => {
    serve(() => Response.json({ detail }, { status }));
    await expect(follow()).rejects.toThrow(detail);
  });

  it('closes the stream when aborted', async () => {
    const { followJob } = await import('./follow-job.ts');
    const leaving = new AbortController();
    let closed = false;
    serve((signal) => {
      const body = new ReadableStream({
        start(stream) {
          const progress = { stage: 'decoding', progress: 0.1 };
          stream.enqueue(new TextEncoder().encode(frame('e1', 'analysis.progress', '', progress)));
          signal.addEventListener('abort', () => {
            closed = true;
            stream.error(signal.reason);
          });
        },
      });
      return new Response(body);
    });
    const following = followJob('job_1', () => leaving.abort(new Error('left')), leaving.signal);
    await expect(following).rejects.toThrow('left');
    expect(closed).toBe(true);
  });

  it.each([
    ['a failed job', () => new Response(frame('e1', 'job.failed', 'No audio.')), true],
    ['a canceled job', () => new Response(frame('e1', 'job.canceled', 'Canceled.')), true],
    ['a deleted job', () => Response.json({ detail: 'No such analysis.' }, { status: 404 }), true],
    [
      'too many streams',
      () => Response.json({ detail: 'Too many.' }, { status: 429, headers: NO_RETRY }),
      false,
    ],
    ['an expired session', () => Response.json({ detail: 'Sign in.' }, { status: 401 }), false],
  ])('isPermanent tells whether to stop following: %s', async (_, events, permanent) => {
    serve(events);
    const [followed] = await Promise.allSettled([follow()]);
    expect(followed).toMatchObject({ status: 'rejected' });
    expect(isPermanent((followed as PromiseRejectedResult).reason)).toBe(permanent);
  });
});
