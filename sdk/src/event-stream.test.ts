import { afterEach, describe, expect, it, vi } from 'vitest';
import { ConnectionError } from './errors.ts';
import { followEvents, type JobEvent } from './event-stream.ts';
import type { Call } from './transport.ts';

const event = (id: string, event_type: string) => ({
  id,
  event_type,
  message: 'é',
  metadata: {},
  created_at: '',
});
const frame = (id: string, type: string) =>
  `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(event(id, type))}\n\n`;

/** A stream in chunks of `chunkBytes`, which cut lines and multi-byte characters anywhere. */
function inChunks(text: string, chunkBytes: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let offset = 0;
  return new ReadableStream({
    pull(controller) {
      if (offset >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(offset, offset + chunkBytes));
      offset += chunkBytes;
    },
  });
}

async function follow(answers: (() => Response)[]) {
  const requests: Call[] = [];
  const requestedMs: number[] = [];
  const seen: JobEvent[] = [];
  for await (const item of followEvents(async (call) => {
    requests.push(call);
    requestedMs.push(Date.now());
    return answers.shift()!();
  }, 'job_1')) {
    seen.push(item);
  }
  const messages = new Set(seen.map(({ message }) => message));
  return { requests, requestedMs, seen: seen.map(({ id }) => id), messages };
}

describe('followEvents', () => {
  it.each([1, 3, 1000])(
    'reads events that arrive in chunks of %i bytes, and stops at the final one',
    async (chunkBytes) => {
      const text = `retry: 2000\n\n: still here\n\n${frame('e1', 'job.started').replaceAll('\n', '\r\n')}${frame('e2', 'job.completed')}${frame('e3', 'webhook.queued')}`;
      const { seen, messages } = await follow([() => new Response(inChunks(text, chunkBytes))]);
      expect(seen).toEqual(['e1', 'e2']);
      expect([...messages]).toEqual(['é']);
    },
  );

  describe('over many connections', () => {
    afterEach(() => vi.useRealTimers());

    /** Advances the clock until the stream has been read to its end. */
    async function followWithClock(answers: (() => Response)[]) {
      vi.useFakeTimers();
      const followed = follow(answers);
      followed.catch(() => undefined);
      await vi.runAllTimersAsync();
      return followed;
    }

    it('resumes an interrupted stream after the last event received, a second later', async () => {
      const broken = () =>
        new Response(
          new ReadableStream({
            start(controller) {
              controller.enqueue(new TextEncoder().encode(frame('e1', 'job.started')));
            },
            pull: (controller) => controller.error(new Error('connection reset')),
          }),
        );
      const { requests, requestedMs, seen } = await followWithClock([
        broken,
        () => new Response(inChunks(frame('e2', 'job.failed'), 7)),
      ]);
      expect(seen).toEqual(['e1', 'e2']);
      expect(requests.map(({ headers }) => headers?.['last-event-id'])).toEqual([undefined, 'e1']);
      expect(requestedMs[1]! - requestedMs[0]!).toBe(1_000);
    });

    it('keeps reconnecting while each stream has an event', async () => {
      const ids = Array.from({ length: 12 }, (_, index) => `e${index + 1}`);
      const answers = ids.map(
        (id, index) => () =>
          new Response(inChunks(frame(id, index === ids.length - 1 ? 'job.completed' : 'job.progress'), 50)),
      );
      expect((await followWithClock(answers)).seen).toEqual(ids);
    });

    const STREAM_LIFETIME_MS = 5 * 60_000;
    it('keeps reconnecting while a queued job has no events and the service closes the stream every five minutes', async () => {
      const quiet = () =>
        new Response(
          new ReadableStream({
            start(controller) {
              controller.enqueue(new TextEncoder().encode('retry: 2000\n\n: still here\n\n'));
              setTimeout(() => controller.close(), STREAM_LIFETIME_MS);
            },
          }),
        );
      const last = () => new Response(inChunks(frame('e1', 'job.completed'), 50));
      expect((await followWithClock([...Array.from({ length: 8 }, () => quiet), last])).seen).toEqual(['e1']);
    });

    it.each([
      ['', ': still here\n\n', []],
      [
        ', also when one before them had an event',
        ': still here\n\n',
        [() => new Response(inChunks(frame('e1', 'job.started'), 50))],
      ],
      [' that is JSON', 'data: It works!\n\n', []],
    ])('gives up after five streams that end at once without an event%s', async (_, text, earlier) => {
      const empty = () => new Response(inChunks(text, 50));
      const answers = [...earlier, ...Array.from({ length: 9 }, () => empty)];
      await expect(followWithClock(answers)).rejects.toThrow(ConnectionError);
      expect(answers).toHaveLength(4);
    });
  });

  it('requests the event stream of the job, without a timeout', async () => {
    const { requests } = await follow([() => new Response(frame('e1', 'job.canceled'))]);
    expect(requests[0]).toMatchObject({
      method: 'GET',
      path: '/v1/analyses/job_1/events',
      headers: { accept: 'text/event-stream' },
      timeoutMs: null,
    });
  });

  it('reads data of several lines, with and without a leading space, and skips other fields', async () => {
    const { seen } = await follow([
      () =>
        new Response(
          'event: x\nid: 1\n\ndata:{"id":"e1",\ndata: "event_type":"job.progress"}\n\ndata:\n\ndata: {"id":"e2","event_type":"job.completed"}\n\n',
        ),
    ]);
    expect(seen).toEqual(['e1', 'e2']);
  });

  it('closes the connection when the caller stops iterating', async () => {
    let closed = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(frame('e1', 'job.started'))),
      cancel: () => {
        closed = true;
      },
    });
    for await (const _ of followEvents(async () => new Response(body), 'job_1')) break;
    expect(closed).toBe(true);
  });

  it('stops when the caller aborts, while reading and before reconnecting', async () => {
    for (const isInterrupted of [true, false]) {
      const stop = new AbortController();
      const requests: Call[] = [];
      const events = followEvents(
        async (call) => {
          requests.push(call);
          return new Response(
            new ReadableStream({
              pull: (controller) => {
                stop.abort(new Error('enough'));
                if (isInterrupted) controller.error(new Error('aborted'));
                else controller.close();
              },
            }),
          );
        },
        'job_1',
        stop.signal,
      );
      await expect(events.next()).rejects.toThrow('enough');
      expect(requests.map(({ signal }) => signal)).toEqual([stop.signal]);
    }
  });

  it('ends when the service answers 204', async () => {
    expect((await follow([() => new Response(null, { status: 204 })])).seen).toEqual([]);
  });
});
