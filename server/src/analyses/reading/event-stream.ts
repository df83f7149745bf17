import { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import { type AnalysisEvent, listEvents } from '../events.ts';
import { presentEvent } from '../present.ts';
import { analysisExists } from '../store.ts';

/** Proxies commonly close a connection that is silent for 60 s or, some, 30 s. */
const HEARTBEAT_MS = 15_000;
/** Then the client reconnects with Last-Event-ID, and its credentials are checked again. */
const LIFETIME_MS = 5 * 60_000;
/** Of the order of "a few seconds", which the HTML Standard (9.2) leaves to each browser. */
const RECONNECT_MS = 2_000;

const END_EVENTS: readonly string[] = ['job.completed', 'job.failed', 'job.canceled'];

/** `lastEventId` is null on the first connection. */
export type StreamOptions = { lastEventId: string | null; signal: AbortSignal; lifetimeMs?: number };

type StreamContext = Pick<Context, 'db' | 'analysisEvents' | 'stopping'>;

/** Server-sent events of an analysis after `lastEventId`, up to the one that reports its end. */
export function streamEvents(ctx: StreamContext, analysisId: string, options: StreamOptions): Readable {
  // Only these, so that a stream does not keep the whole context of its request in memory.
  const { db, analysisEvents, stopping } = ctx;
  return new EventStream({ db, analysisEvents, stopping }, analysisId, options);
}

/** Whether the client has received the event that reports the end, so that a stream would stay empty. */
export async function hasSeenEnd(
  ctx: Context,
  analysisId: string,
  lastEventId: string | null,
): Promise<boolean> {
  if (lastEventId === null) return false;
  const events = await listEvents(ctx.db, analysisId);
  const end = events.find((event) => END_EVENTS.includes(event.eventType));
  return end !== undefined && lastEventId >= end.id;
}

/** Thousands may be open and idle at once: instead of a pending generator, promise and signal, each has a few fields. */
class EventStream extends Readable {
  readonly #ctx: StreamContext;
  readonly #analysisId: string;
  readonly #signal: AbortSignal;
  readonly #heartbeat: NodeJS.Timeout;
  readonly #lifetime: NodeJS.Timeout;
  #lastId: string | null;
  #isOver = false;
  /** A wake-up has not been handled yet: there may be events to send, or a heartbeat is due. */
  #isWakePending = true;
  /** The wake-up came from a notification, and not from the heartbeat. */
  #hasChanged = true;
  /** The consumer is waiting for data, and `_read` will not be called again before there is some. */
  #isReadPending = false;
  #unsubscribe = () => {};

  constructor(ctx: StreamContext, analysisId: string, options: StreamOptions) {
    super();
    this.#ctx = ctx;
    this.#analysisId = analysisId;
    this.#signal = options.signal;
    this.#lastId = options.lastEventId;
    this.#heartbeat = setInterval(this.#wake, HEARTBEAT_MS);
    this.#lifetime = setTimeout(this.#end, options.lifetimeMs ?? LIFETIME_MS);
    this.#signal.addEventListener('abort', this.#end, { once: true });
    this.#ctx.stopping.addEventListener('abort', this.#end, { once: true });
    if (this.#signal.aborted || this.#ctx.stopping.aborted) this.#isOver = true;
  }

  readonly #onChange = () => {
    this.#hasChanged = true;
    this.#wake();
  };

  readonly #wake = () => {
    this.#isWakePending = true;
    if (this.#isReadPending) this._read();
  };

  readonly #end = () => {
    this.#isOver = true;
    this.#wake();
  };

  override _construct(done: (error?: Error) => void): void {
    this.#ctx.analysisEvents.subscribe(this.#analysisId, this.#onChange).then((unsubscribe) => {
      this.#unsubscribe = unsubscribe;
      this.push(`retry: ${RECONNECT_MS}\n\n`);
      done();
    }, done);
  }

  override _read(): void {
    this.#isReadPending = !this.#isWakePending;
    if (!this.#isWakePending) return;
    this.#isWakePending = false;
    if (this.#isOver) this.push(null);
    else this.#pushNewEvents().catch((error: Error) => this.destroy(error));
  }

  async #pushNewEvents(): Promise<void> {
    const hasChanged = this.#hasChanged;
    this.#hasChanged = false;
    const events = await listEvents(this.#ctx.db, this.#analysisId, {
      after: this.#lastId ?? undefined,
    });
    for (const event of events) {
      this.push(formatEvent(event));
      this.#lastId = event.id;
      if (END_EVENTS.includes(event.eventType)) return void this.push(null);
    }
    if (events.length > 0) return;
    // A deletion removes all events; a client that reconnects then gets a 404.
    if (hasChanged && !(await analysisExists(this.#ctx.db, this.#analysisId))) this.push(null);
    else this.push(': still here\n\n');
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearInterval(this.#heartbeat);
    clearTimeout(this.#lifetime);
    this.#signal.removeEventListener('abort', this.#end);
    this.#ctx.stopping.removeEventListener('abort', this.#end);
    this.#unsubscribe();
    done(error);
  }
}

function formatEvent(event: AnalysisEvent): string {
  return `id: ${event.id}\nevent: ${event.eventType}\ndata: ${JSON.stringify(presentEvent(event))}\n\n`;
}
