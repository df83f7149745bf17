import { ConnectionError } from './errors.ts';
import { pause, type Transport } from './transport.ts';
import type { AnalysisEvent } from './wire-types.generated.ts';

/**
 * One line of a job's log.
 *
 * @example
 * ```ts
 * import { openAsBlob } from 'node:fs';
 * import { Earshot, type JobEvent } from '@earshot/sdk';
 *
 * const earshot = new Earshot({ apiKey: process.env.EARSHOT_API_KEY, baseUrl: 'http://localhost:8080' });
 * const print = ({ event_type, message }: JobEvent) => console.log(event_type, message);
 * const job = await earshot.analyses.create({ file: await openAsBlob('song.mp3') });
 * for await (const event of job.events()) print(event);
 * ```
 */
export type JobEvent = AnalysisEvent;

/** The last event of a job: nothing follows it. */
const ENDS = new Set(['job.completed', 'job.failed', 'job.canceled']);
const RECONNECT_MS = 1_000;
/** Connections in a row that ended at once without an event before we give up: chosen, so that a proxy that cuts every stream is noticed within seconds. */
const BARREN_MAX = 5;
/** One that stayed open this long was fine: the service closes a stream every five minutes, and a job may wait longer in its queue. */
const HEALTHY_MS = 10_000;

/**
 * The events of a job as they happen, from the first to the one that ends it. The service closes a stream now and then,
 * and networks break: it is resumed after the last event seen, so that none comes twice and none is missed.
 */
export async function* followEvents(
  call: Transport,
  jobId: string,
  signal?: AbortSignal,
): AsyncGenerator<JobEvent> {
  let lastEventId: string | null = null;
  for (let barren = 0; barren < BARREN_MAX; barren++) {
    const response = await call({
      method: 'GET',
      path: `/v1/analyses/${encodeURIComponent(jobId)}/events`,
      headers: { accept: 'text/event-stream', ...(lastEventId !== null && { 'last-event-id': lastEventId }) },
      timeoutMs: null,
      signal,
    });
    // How the service says that the end has been seen.
    if (response.status === 204 || !response.body) return;
    const openedMs = Date.now();
    try {
      for await (const event of readServerSentEvents(response.body)) {
        barren = 0;
        lastEventId = event.id;
        yield event;
        if (ENDS.has(event.event_type)) return;
      }
    } catch {
      signal?.throwIfAborted();
    }
    if (Date.now() - openedMs >= HEALTHY_MS) barren = 0;
    await pause(RECONNECT_MS, signal);
  }
  throw new ConnectionError(`The event stream of ${jobId} broke off again and again`);
}

/** Messages of a stream in the event-stream format (HTML Standard, 9.2) whose data is JSON; comments are left out. */
async function* readServerSentEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<JobEvent> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const messages = (rest + value).replaceAll('\r\n', '\n').split('\n\n');
      rest = messages.pop() ?? '';
      for (const message of messages) {
        const data = message
          .split('\n')
          .filter((line) => line.startsWith('data:'))
          .map((line) => line.slice('data:'.length).trimStart())
          .join('\n');
        if (data !== '') yield JSON.parse(data) as JobEvent;
      }
    }
  } finally {
    // Leaving early closes the connection; after its end there is nothing to close.
    await reader.cancel().catch(() => undefined);
  }
}
