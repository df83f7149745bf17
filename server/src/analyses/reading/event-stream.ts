import { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import { type AnalysisEvent, listEvents } from '../events.ts';
import { presentEvent } from '../present.ts';
import { analysisExists } from '../store.ts';

/** A comment now and then tells proxies that the stream lives. */
const HEARTBEAT_MS = 15_000;
/** Then the client comes back with Last-Event-ID, and its credentials are checked anew. */
const LIFETIME_MS = 5 * 60_000;
const RECONNECT_MS = 2_000;

const LAST_EVENTS: readonly string[] = ['job.completed', 'job.failed', 'job.canceled'];

/** `lastEventId` is null for a reader who comes for the first time. */
export type StreamOptions = { lastEventId: string | null; signal: AbortSignal; lifetimeMs?: number };

type StreamContext = Pick<Context, 'db' | 'analysisEvents' | 'stopping'>;

/** Server-sent events of one analysis after `lastEventId`, up to the one that ends it. */
export function streamEvents(ctx: StreamContext, analysisId: string, options: StreamOptions): Readable {
  const { db, analysisEvents, stopping } = ctx;
  return new EventStream({ db, analysisEvents, stopping }, analysisId, options);
}

/** Whether a stream after `lastEventId` would bring nothing: the reader has seen the end. */
export async function hasSeenEnd(
  ctx: Context,
  analysisId: string,
  lastEventId: string | null,
): Promise<boolean> {
  if (lastEventId === null) return false;
  const seen = await listEvents(ctx.db, analysisId);
  const end = seen.find((event) => LAST_EVENTS.includes(event.eventType));
  return end !== undefined && lastEventId >= end.id;
}

/** Thousands are open and idle at once, so an idle one keeps no generator, no promise and no signal of its own. */
class EventStream extends Readable {
  readonly #ctx: StreamContext;
  readonly #analysisId: string;
  readonly #signal: AbortSignal;
  readonly #heartbeat: NodeJS.Timeout;
  readonly #lifetime: NodeJS.Timeout;
  #lastId: string | null;
  #isOver = false;
  /** There may be events that were not read yet: also those that come while others are being read. */
  #rung = true;
  /** Woken by a change, and not by the heartbeat. */
  #changed = true;
  /** The reader has taken all there was. */
  #wanted = false;
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

  readonly #ring = () => {
    this.#changed = true;
    this.#wake();
  };

  readonly #wake = () => {
    this.#rung = true;
    if (this.#wanted) this._read();
  };

  readonly #end = () => {
    this.#isOver = true;
    this.#ring();
  };

  override _construct(done: (error?: Error) => void): void {
    this.#ctx.analysisEvents.subscribe(this.#analysisId, this.#ring).then((unsubscribe) => {
      this.#unsubscribe = unsubscribe;
      this.push(`retry: ${RECONNECT_MS}\n\n`);
      done();
    }, done);
  }

  override _read(): void {
    this.#wanted = !this.#rung;
    if (!this.#rung) return;
    this.#rung = false;
    if (this.#isOver) this.push(null);
    else this.#tellNews().catch((error: Error) => this.destroy(error));
  }

  async #tellNews(): Promise<void> {
    const hasChanged = this.#changed;
    this.#changed = false;
    const events = await listEvents(this.#ctx.db, this.#analysisId, {
      after: this.#lastId ?? undefined,
    });
    for (const event of events) {
      this.push(formatEvent(event));
      this.#lastId = event.id;
      if (LAST_EVENTS.includes(event.eventType)) return void this.push(null);
    }
    if (events.length > 0) return;
    // A deletion takes all events along: whoever comes back for more is told that there is no such analysis.
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
