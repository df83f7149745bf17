import { Readable } from 'node:stream';
import { startDeadline } from '@earshot/sdk';
import type { Context } from '../../context.ts';
import { type AnalysisEvent, listEvents } from '../events.ts';
import { presentEvent } from '../present.ts';
import { createBell } from './bell.ts';

/** A comment now and then tells proxies that the stream lives. */
const HEARTBEAT_MS = 15_000;
/** Then the client comes back with Last-Event-ID, and its credentials are checked anew. */
const LIFETIME_MS = 5 * 60_000;
const RECONNECT_MS = 2_000;

const LAST_EVENTS: readonly string[] = ['job.completed', 'job.failed', 'job.canceled'];

export type StreamOptions = { lastEventId: string; signal: AbortSignal; lifetimeMs?: number };

/** Server-sent events of one analysis after `lastEventId`, up to the one that ends it. */
export function streamEvents(ctx: Context, analysisId: string, options: StreamOptions): Readable {
  return Readable.from(writeEvents(ctx, analysisId, options), { objectMode: false });
}

/** Whether a stream after `lastEventId` would bring nothing: the reader has seen the end. */
export async function hasSeenEnd(ctx: Context, analysisId: string, lastEventId: string): Promise<boolean> {
  const seen = await listEvents(ctx.db, analysisId);
  const end = seen.find((event) => LAST_EVENTS.includes(event.eventType));
  return end !== undefined && lastEventId >= end.id;
}

async function* writeEvents(
  ctx: Context,
  analysisId: string,
  options: StreamOptions,
): AsyncGenerator<string> {
  const bell = createBell();
  const deadline = startDeadline(options.lifetimeMs ?? LIFETIME_MS, options.signal);
  const over = deadline.signal;
  over.addEventListener('abort', bell.ring, { once: true });
  ctx.stopping.addEventListener('abort', bell.ring);
  const heartbeat = setInterval(bell.ring, HEARTBEAT_MS);
  let unsubscribe = () => {};
  let lastId = options.lastEventId;
  try {
    unsubscribe = await ctx.analysisEvents.subscribe(analysisId, bell.ring);
    yield `retry: ${RECONNECT_MS}\n\n`;
    while (!over.aborted && !ctx.stopping.aborted) {
      const events = await listEvents(ctx.db, analysisId, lastId);
      for (const event of events) {
        yield formatEvent(event);
        if (LAST_EVENTS.includes(event.eventType)) return;
      }
      lastId = events.at(-1)?.id ?? lastId;
      if (events.length === 0) yield ': still here\n\n';
      await bell.heard();
    }
  } finally {
    deadline.clear();
    clearInterval(heartbeat);
    ctx.stopping.removeEventListener('abort', bell.ring);
    unsubscribe();
  }
}

function formatEvent(event: AnalysisEvent): string {
  return `id: ${event.id}\nevent: ${event.eventType}\ndata: ${JSON.stringify(presentEvent(event))}\n\n`;
}
