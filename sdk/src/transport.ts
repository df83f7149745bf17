import { type Deadline, startDeadline } from './deadline.ts';
import { ApiError, ConnectionError, EarshotError } from './errors.ts';

export type TransportOptions = {
  baseUrl: string;
  /** An API key or a session token. */
  token: string | null;
  fetch: typeof fetch;
  /** Tries after the first. */
  retriesMax: number;
  /** Of each try, up to the last byte of its answer. */
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
  /** Makes a POST repeatable. */
  idempotencyKey?: string;
  signal?: AbortSignal;
  /** How long the service may hold its answer; the call has that on top of its time. */
  waitSeconds?: number;
  /** In place of the client's; null for an answer that stays open. */
  timeoutMs?: number | null;
};

/** Statuses of a state that passes: the same request may succeed in a moment. */
const RETRYABLE_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504]);
/** The four retries a client has unless told otherwise then take 3 s on average, 6 at most: a connection or a process is replaced, and a person still waits. */
const BACKOFF_FIRST_MS = 400;
/** For clients with more retries: a service that is back is found again within this time. */
const BACKOFF_MAX_MS = 20_000;
/** The window of the service's limit on requests. Who is asked to wait longer, as after too many registrations, decides for itself. */
const RETRY_AFTER_MAX_SECONDS = 60;

export type Transport = (call: Call) => Promise<Response>;

/**
 * Sends a call, and again what may be repeated. Throws ApiError or ConnectionError, also while the answer is read; a caller
 * who aborts gets the reason of its own signal. A service that asks for a longer wait than a minute is not asked again: its
 * answer is thrown at once, with `retryAfterSeconds`.
 */
export function createTransport(options: TransportOptions): Transport {
  return async (call) => {
    const url = addressOf(options.baseUrl, call);
    for (let attempt = 0; ; attempt++) {
      const last = !isRepeatable(call) || attempt >= options.retriesMax;
      const response = await send(options, call, url).catch((cause: { cause?: { name?: string } }) => {
        call.signal?.throwIfAborted();
        throwIfUnreadable(cause);
        if (last) throw new ConnectionError(`No answer from ${url.origin}`, { cause });
        return null;
      });
      if (response?.ok || response?.status === 304) {
        if (!isForeignPage(call, response)) return response;
        await discard(response);
        throw new ConnectionError(
          `${url.origin} answered with a web page: is it the address of the service?`,
        );
      }
      const askedSeconds = response && retryAfterSecondsOf(response);
      if (response) {
        const isTooLong = askedSeconds !== null && askedSeconds > RETRY_AFTER_MAX_SECONDS;
        if (last || isTooLong || !RETRYABLE_STATUSES.has(response.status)) {
          throw await readError(response, call.signal);
        }
        await discard(response);
      }
      await pause(askedSeconds === null ? backoffMs(attempt) : askedSeconds * 1000, call.signal);
    }
  };
}

/** A network that wants a sign-in, or another program at this address, answers everything with a page. A report is one of ours. */
function isForeignPage(call: Call, response: Response): boolean | undefined {
  const mayBePage = isAbsolute(call.path) || call.path.endsWith('.html');
  return !mayBePage && response.headers.get('content-type')?.startsWith('text/html');
}

/** How Node tells that the file behind a Blob is not what it was: its size or time has changed, or it is gone. */
function throwIfUnreadable({ cause }: { cause?: { name?: string } }): void {
  if (cause?.name === 'NotReadableError')
    throw new EarshotError('The file was changed or moved while it was sent', { cause });
}

export async function readJson<T>(response: Response): Promise<T> {
  return parseJson<T>(await response.text());
}

/** An answer of unknown length that broke off may look like a whole one, and another program at this address answers anything. */
export function parseJson<T>(text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    throw new ConnectionError('The answer is no JSON, or not all of it came', { cause });
  }
}

/** A call whose answer nobody reads. */
export async function sendOnly(call: Transport, request: Call): Promise<void> {
  await discard(await call(request));
}

/** Left open, its deadline would keep the program alive. One that has broken off meanwhile is closed already. */
async function discard(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => undefined);
}

/** PUT and DELETE are by their definition; a PATCH of this service writes the values it is given, so that twice is once. */
function isRepeatable(call: Call): boolean {
  return call.method !== 'POST' || call.idempotencyKey !== undefined;
}

/** An exponential step with full jitter (Brooker, AWS, 2015). */
export function backoffMs(attempt: number, random: () => number = Math.random): number {
  return random() * Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** attempt);
}

/** Null where there is none, or where it is a date: clocks differ, and the service sends seconds. */
function retryAfterSecondsOf(response: Response): number | null {
  const asked = response.headers.get('retry-after') ?? '';
  return /^\d+(\.\d+)?$/.test(asked) ? Number(asked) : null;
}

function isAbsolute(path: string): boolean {
  return /^https?:/.test(path);
}

function addressOf(baseUrl: string, call: Call): URL {
  const address = isAbsolute(call.path) ? call.path : baseUrl + call.path;
  if (!URL.canParse(address)) throw new ConnectionError(`Not an address: ${address}`);
  const url = new URL(address);
  for (const [name, value] of Object.entries(call.query ?? {})) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) url.searchParams.append(name, String(one));
    }
  }
  return url;
}

async function send(options: TransportOptions, call: Call, url: URL): Promise<Response> {
  const { waitSeconds = 0, timeoutMs = options.timeoutMs + waitSeconds * 1000 } = call;
  const deadline = startDeadline(timeoutMs, call.signal);
  try {
    const response = await options.fetch(url, {
      method: call.method,
      headers: {
        accept: 'application/json',
        ...(options.token && !isAbsolute(call.path) ? { authorization: `Bearer ${options.token}` } : {}),
        ...(call.json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(call.idempotencyKey ? { 'idempotency-key': call.idempotencyKey } : {}),
        ...(waitSeconds ? { prefer: `wait=${waitSeconds}` } : {}),
        ...call.headers,
      },
      body: call.json === undefined ? call.body : JSON.stringify(call.json),
      signal: deadline.signal,
      // Followed, a POST would become a GET, and credentials would be left behind.
      redirect: isAbsolute(call.path) ? 'follow' : 'manual',
    });
    return readUnder(deadline, response, (cause) => {
      call.signal?.throwIfAborted();
      throw new ConnectionError(`The answer of ${url.origin} broke off`, { cause });
    });
  } catch (error) {
    deadline.clear();
    throw error;
  }
}

/** The answer, with a body at whose end the deadline is cleared: it counts up to the last byte. */
function readUnder(deadline: Deadline, response: Response, brokeOff: (cause: unknown) => never): Response {
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
        brokeOff(error);
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

async function readError(response: Response, signal: AbortSignal | undefined): Promise<ApiError> {
  // An answer that is no JSON, or broke off, is an error of its status all the same.
  const body = (await response.json().catch(() => null)) as ConstructorParameters<typeof ApiError>[1];
  signal?.throwIfAborted();
  const requestId = response.headers.get('x-request-id');
  // A browser tells neither the status of a redirect nor where it leads.
  const moved = response.status < 400 && {
    detail: `The service answered ${response.status} and leads on to ${response.headers.get('location') ?? 'another address'}. Redirects are not followed: if the service is there, use that address`,
  };
  return new ApiError(response.status, moved || body, requestId, retryAfterSecondsOf(response));
}

export function pause(delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, delayMs);
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
