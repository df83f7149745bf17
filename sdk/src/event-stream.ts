import { analysisPath } from './analysis-path.ts';
import { ConnectionError } from './errors.ts';
import { pause, type Transport } from './transport.ts';
import type { AnalysisEvent } from './wire-types.generated.ts';

/**
 * One event in the log of a job.
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

/** Event types after which a job has no more events. */
const FINAL_EVENTS = new Set(['job.completed', 'job.failed', 'job.canceled']);
/** Long enough not to burden a service that is restarting, short enough for a progress display. */
const RECONNECT_MS = 1_000;
/** Streams in a row that may end at once without an event: with a proxy that cuts every stream, the client gives up within seconds. */
const EMPTY_STREAMS_MAX = 5;
/** A stream that stayed open this long worked: the service closes every stream after five minutes, and a job may be queued for longer. */
const HEALTHY_MS = 10_000;

/**
 * The events of a job, live, from the first to the last. A stream that the service closes or the network interrupts is resumed
 * after the last event received, so that no event is missed or repeated.
 */
export async function* followEvents(
  call: Transport,
  jobId: string,
  signal?: AbortSignal,
): AsyncGenerator<JobEvent> {
  let lastEventId: string | null = null;
  for (let emptyStreamCount = 0; emptyStreamCount < EMPTY_STREAMS_MAX; ) {
    const response = await call({
      method: 'GET',
      path: `${analysisPath(jobId)}/events`,
      headers: { accept: 'text/event-stream', ...(lastEventId !== null && { 'last-event-id': lastEventId }) },
      timeoutMs: null,
      signal,
    });
    // The service has nothing to send after the last event.
    if (response.status === 204 || !response.body) return;
    const openedMs = Date.now();
    let isEmpty = true;
    try {
      for await (const event of readServerSentEvents(response.body)) {
        isEmpty = false;
        lastEventId = event.id;
        yield event;
        if (FINAL_EVENTS.has(event.event_type)) return;
      }
    } catch {
      signal?.throwIfAborted();
    }
    emptyStreamCount = isEmpty && Date.now() - openedMs < HEALTHY_MS ? emptyStreamCount + 1 : 0;
    await pause(RECONNECT_MS, signal);
  }
  throw new ConnectionError(`The event stream of ${jobId} was interrupted repeatedly`);
}

/** Parses the event-stream format (HTML Standard, section 9.2), with JSON as data; comments are skipped. */
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
    // Closes the connection if the caller stops early; at the end of the stream it has no effect.
    await reader.cancel().catch(() => undefined);
  }
}
