import { type Deadline, startDeadline } from './deadline.ts';
import { ApiError, ConnectionError, EarshotError } from './errors.ts';

export type TransportOptions = {
  baseUrl: string;
  /** An API key or a session token. */
  token: string | null;
  fetch: typeof fetch;
  /** Attempts after the first. */
  retriesMax: number;
  /** For each attempt, up to the last byte of the response. */
  timeoutMs: number;
};

type QueryValue = string | number | boolean | null | undefined;
/** A list becomes one parameter for each of its items; null and undefined are left out. */
export type Query = Record<string, QueryValue | readonly QueryValue[]>;

export type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the base URL; or a complete signed URL, which carries its own permission and gets no credentials. */
  path: string;
  query?: Query;
  json?: unknown;
  /** Sent unchanged: a form or a file. */
  body?: FormData | Blob;
  headers?: Record<string, string>;
  /** Makes a POST safe to retry. */
  idempotencyKey?: string;
  signal?: AbortSignal;
  /** How long the service may hold its response; added to the timeout of the call. */
  waitSeconds?: number;
  /** Replaces the client's timeout; null for none. */
  timeoutMs?: number | null;
};

/**
 * Temporary conditions: the same request may succeed a moment later. So may a 409 with Retry-After: the first request with its
 * idempotency key is still running.
 */
const RETRYABLE_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504]);
/**
 * Four retries, the default, then take 3 s on average and 6 s at most: long enough for a process to be replaced, short enough for a
 * person who is waiting.
 */
const BACKOFF_FIRST_MS = 400;
/** For clients with more retries: they notice within this time that the service is back. */
const BACKOFF_MAX_MS = 20_000;
/** The window of the service's request limit. Longer waits, as after too many registrations, are left to the caller. */
const RETRY_AFTER_MAX_SECONDS = 60;

export type Transport = (call: Call) => Promise<Response>;

/**
 * Sends a call, and retries it if that is safe. Throws ApiError or ConnectionError, also while the response is read; a caller
 * that aborts gets the reason of its own signal. If the service asks for a wait of more than a minute, its error is thrown
 * at once, with `retryAfterSeconds`.
 */
export function createTransport(options: TransportOptions): Transport {
  return async (call) => {
    const url = urlOf(options.baseUrl, call);
    for (let attempt = 0; ; attempt++) {
      const isLast = !isRepeatable(call) || attempt >= options.retriesMax;
      const response = await send(options, call, url).catch((cause: { cause?: { name?: string } }) => {
        call.signal?.throwIfAborted();
        throwIfUnreadable(cause);
        if (isLast) throw new ConnectionError(`No answer from ${url.origin}`, { cause });
        return null;
      });
      if (response?.ok || response?.status === 304) {
        if (!isForeignPage(call, response)) return response;
        await discard(response);
        throw new ConnectionError(
          `${url.origin} answered with a web page: is it the address of the service?`,
        );
      }
      const retryAfterSeconds = response && retryAfterSecondsOf(response);
      if (response) {
        if (isLast || !isRetryable(response.status, retryAfterSeconds)) {
          throw await readError(response, call.signal);
        }
        await discard(response);
      }
      await pause(retryAfterSeconds === null ? backoffMs(attempt) : retryAfterSeconds * 1000, call.signal);
    }
  };
}

/** A captive portal or another program at this address answers every request with a page. Reports are the service's own pages. */
function isForeignPage(call: Call, response: Response): boolean {
  const mayBePage = isAbsolute(call.path) || call.path.endsWith('.html');
  return !mayBePage && (response.headers.get('content-type') ?? '').startsWith('text/html');
}

/** Node's fetch fails with this cause if the file behind a Blob was changed or deleted. */
function throwIfUnreadable({ cause }: { cause?: { name?: string } }): void {
  if (cause?.name === 'NotReadableError')
    throw new EarshotError('The file was changed or moved while it was sent', { cause });
}

export async function download(call: Transport, path: string, query?: Query): Promise<Uint8Array> {
  const response = await call({ method: 'GET', path, query, headers: { accept: '*/*' } });
  return new Uint8Array(await response.arrayBuffer());
}

export async function readJson<T>(response: Response): Promise<T> {
  return parseJson<T>(await response.text());
}

/** A truncated response of unknown length looks complete, and another program at this address may answer anything. */
export function parseJson<T>(text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    throw new ConnectionError('The response is not JSON, or incomplete', { cause });
  }
}

/** For calls whose response is not needed. */
export async function callAndDiscard(call: Transport, request: Call): Promise<void> {
  await discard(await call(request));
}

/** Closes the response, whose deadline would keep the program alive. Fails if it is closed already, which is fine. */
async function discard(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => undefined);
}

/** PUT and DELETE are idempotent by definition, and so is a PATCH of this service, which only sets values. */
function isRepeatable(call: Call): boolean {
  return call.method !== 'POST' || call.idempotencyKey !== undefined;
}

function isRetryable(status: number, retryAfterSeconds: number | null): boolean {
  if (retryAfterSeconds === null) return RETRYABLE_STATUSES.has(status);
  return (RETRYABLE_STATUSES.has(status) || status === 409) && retryAfterSeconds <= RETRY_AFTER_MAX_SECONDS;
}

/** Exponential backoff with full jitter (Brooker, "Exponential Backoff and Jitter", AWS Architecture Blog, 2015). */
export function backoffMs(attempt: number, random: () => number = Math.random): number {
  return random() * Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** attempt);
}

/** Null if the header is absent or a date: the service sends seconds, and clocks differ. */
function retryAfterSecondsOf(response: Response): number | null {
  const header = response.headers.get('retry-after') ?? '';
  return /^\d+(\.\d+)?$/.test(header) ? Number(header) : null;
}

function isAbsolute(path: string): boolean {
  return /^https?:/.test(path);
}

function urlOf(baseUrl: string, call: Call): URL {
  const text = isAbsolute(call.path) ? call.path : baseUrl + call.path;
  if (!URL.canParse(text)) throw new ConnectionError(`Not a URL: ${text}`);
  const url = new URL(text);
  for (const [name, value] of Object.entries(call.query ?? {})) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null) url.searchParams.append(name, String(item));
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
        ...(call.idempotencyKey === undefined ? {} : { 'idempotency-key': call.idempotencyKey }),
        ...(waitSeconds ? { prefer: `wait=${waitSeconds}` } : {}),
        ...call.headers,
      },
      body: call.json === undefined ? call.body : JSON.stringify(call.json),
      signal: deadline.signal,
      // Following it may turn a POST into a GET (301 to 303) or drop the credentials (another origin).
      redirect: isAbsolute(call.path) ? 'follow' : 'manual',
    });
    return withDeadlineOnBody(deadline, response, (cause) => {
      call.signal?.throwIfAborted();
      throw new ConnectionError(`The response of ${url.origin} was interrupted`, { cause });
    });
  } catch (error) {
    deadline.clear();
    throw error;
  }
}

/** The response with a body that clears the deadline when it ends: the timeout covers the last byte. */
function withDeadlineOnBody(
  deadline: Deadline,
  response: Response,
  onInterrupted: (cause: unknown) => never,
): Response {
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
        onInterrupted(error);
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
  // A body that is not JSON or incomplete leaves an error with the status alone.
  const body = (await response.json().catch(() => null)) as ConstructorParameters<typeof ApiError>[1];
  signal?.throwIfAborted();
  const requestId = response.headers.get('x-request-id');
  // A browser reveals neither the status nor the target of a redirect.
  const redirected = response.status < 400 && {
    detail: `The service answered ${response.status} and redirects to ${response.headers.get('location') ?? 'another URL'}. Redirects are not followed: if the service is there, use that address`,
  };
  return new ApiError(response.status, redirected || body, requestId, retryAfterSecondsOf(response));
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
