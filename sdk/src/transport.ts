import { type Deadline, startDeadline } from './deadline.ts';
import { ApiError, ConnectionError } from './errors.ts';

export type TransportOptions = {
  baseUrl: string;
  /** An API key or a session token. */
  token: string | null;
  fetch: typeof fetch;
  /** Tries after the first. */
  retriesMax: number;
  timeoutMs: number;
};

type QueryValue = string | number | boolean | null | undefined;
/** A list is given as often as it has items. */
export type Query = Record<string, QueryValue | readonly QueryValue[]>;

export type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the service's address; or a whole address that carries its own permission, which gets no credentials. */
  path: string;
  query?: Query;
  json?: unknown;
  /** Sent as it is: a form, a file. */
  body?: FormData | Blob;
  headers?: Record<string, string>;
  /** A POST with one is safe to repeat, so it is retried like a read. */
  idempotencyKey?: string;
  signal?: AbortSignal;
  /** Null for an answer that stays open; the client's own unless given. */
  timeoutMs?: number | null;
};

/** Statuses worth another try: the same request may succeed in a moment. */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);
const DELAY_FIRST_MS = 400;
const DELAY_MAX_MS = 20_000;

export type Transport = (call: Call) => Promise<Response>;

/** Sends a call, repeats what is safe to repeat, throws ApiError or ConnectionError. */
export function createTransport(options: TransportOptions): Transport {
  return async (call) => {
    const safe = call.method !== 'POST' || call.idempotencyKey !== undefined;
    for (let attempt = 0; ; attempt++) {
      const last = !safe || attempt >= options.retriesMax;
      const response = await send(options, call).catch((cause: unknown) => {
        call.signal?.throwIfAborted();
        if (last) throw new ConnectionError(`No answer from ${options.baseUrl}`, { cause });
        return null;
      });
      if (response?.ok || response?.status === 304) return response;
      if (response && (last || !PASSING.has(response.status))) throw await readError(response);
      await response?.body?.cancel();
      await pause(retryDelayMs(attempt, response?.headers.get('retry-after') ?? null), call.signal);
    }
  };
}

/** A call whose answer nobody reads. Left open, its deadline would keep the program alive. */
export async function sendOnly(call: Transport, request: Call): Promise<void> {
  const response = await call(request);
  await response.body?.cancel();
}

/** A number of seconds the service asked for, or an exponential step with full jitter (Brooker, AWS, 2015). */
export function retryDelayMs(
  attempt: number,
  retryAfter: string | null,
  random: () => number = Math.random,
): number {
  const askedSeconds = retryAfter === null || retryAfter === '' ? Number.NaN : Number(retryAfter);
  if (askedSeconds >= 0) return Math.min(DELAY_MAX_MS, askedSeconds * 1000);
  return random() * Math.min(DELAY_MAX_MS, DELAY_FIRST_MS * 2 ** attempt);
}

async function send(options: TransportOptions, call: Call): Promise<Response> {
  const foreign = /^https?:/.test(call.path);
  const url = new URL(foreign ? call.path : options.baseUrl + call.path);
  for (const [name, value] of Object.entries(call.query ?? {})) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) url.searchParams.append(name, String(one));
    }
  }
  const { timeoutMs = options.timeoutMs } = call;
  const deadline = startDeadline(timeoutMs, call.signal);
  try {
    const response = await options.fetch(url, {
      method: call.method,
      headers: {
        accept: 'application/json',
        ...(options.token && !foreign ? { authorization: `Bearer ${options.token}` } : {}),
        ...(call.json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(call.idempotencyKey ? { 'idempotency-key': call.idempotencyKey } : {}),
        ...call.headers,
      },
      body: call.json === undefined ? call.body : JSON.stringify(call.json),
      signal: deadline.signal,
    });
    return readUnder(deadline, response);
  } catch (error) {
    deadline.clear();
    throw error;
  }
}

/** The answer, with a body at whose end the deadline is cleared: it counts up to the last byte. */
function readUnder(deadline: Deadline, response: Response): Response {
  if (!response.body) {
    deadline.clear();
    return response;
  }
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        deadline.clear();
        controller.close();
      } catch (error) {
        deadline.clear();
        throw error;
      }
    },
    cancel(reason) {
      deadline.clear();
      return reader.cancel(reason);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}

async function readError(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => null)) as ConstructorParameters<typeof ApiError>[1];
  return new ApiError(response.status, body, response.headers.get('x-request-id'));
}

export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, milliseconds);
    function done() {
      signal?.removeEventListener('abort', stop);
      resolve();
    }
    function stop() {
      clearTimeout(timer);
      reject(signal?.reason);
    }
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
