import { SpanKind } from '@opentelemetry/api';
import type { Dependencies } from '../context.ts';
import { FetchFailed, FetchForbidden } from '../platform/fetch-errors.ts';
import type { GuardedResponse } from '../platform/guarded-fetch.ts';
import { inSpan } from '../platform/tracing.ts';
import { truncateText } from '../platform/truncate-text.ts';
import { parseRetryAfterMs } from './retry-schedule.ts';

/** As docs/guides/webhooks.md promises. */
const TOTAL_TIMEOUT_MS = 15_000;
/** A round number, of which only the excerpt is kept. */
const RESPONSE_BYTES_MAX = 64 * 1024;
/** Leaves two thirds of the total for the response. */
const CONNECT_TIMEOUT_MS = 5_000;
/** Enough to recognize an error page; every attempt stores this much. */
const EXCERPT_CHARACTERS_MAX = 2_000;
/** A UTF-8 character has at most four bytes, so a character cut in two at this point is past the excerpt. */
const EXCERPT_BYTES_MAX = 4 * EXCERPT_CHARACTERS_MAX;

export type WebhookCall = {
  id: string;
  url: string;
  body: string;
  signature: string;
  timestampSeconds: number;
};

export type CallResult = {
  delivered: boolean;
  statusCode: number | null;
  error: string | null;
  /** The start of the response body, without NUL characters; null without a response or when nothing is left of it. */
  responseExcerpt: string | null;
  retryAfterMs: number | null;
  /** Status 410: the receiver wants no more calls. */
  gone: boolean;
  durationMs: number;
};

/** One POST to a receiver. Returns within 15 s whatever the receiver does; throws only when `signal` aborts or on a fault of ours. */
export async function callWebhook(
  ctx: Pick<Dependencies, 'guardedFetch' | 'clock' | 'metrics'>,
  call: WebhookCall,
  signal: AbortSignal,
): Promise<CallResult> {
  const attributes = { 'earshot.delivery_id': call.id };
  // No trace headers are sent: a receiver gets those of Standard Webhooks and learns nothing about our internals.
  return inSpan('webhook call', { kind: SpanKind.CLIENT, attributes }, async (span) => {
    const result = await post(ctx, call, signal);
    const outcome = result.delivered ? 'delivered' : result.statusCode === null ? 'unreachable' : 'refused';
    ctx.metrics.webhookAttempts.observe({ outcome }, result.durationMs / 1000);
    span.setAttribute('earshot.outcome', outcome);
    if (result.statusCode !== null) span.setAttribute('http.response.status_code', result.statusCode);
    return result;
  });
}

async function post(
  ctx: Pick<Dependencies, 'guardedFetch' | 'clock'>,
  call: WebhookCall,
  signal: AbortSignal,
): Promise<CallResult> {
  const startedMs = performance.now();
  const elapsedMs = () => Math.round(performance.now() - startedMs);
  try {
    const response = await ctx.guardedFetch({
      url: call.url,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': call.id,
        'webhook-timestamp': String(call.timestampSeconds),
        'webhook-signature': call.signature,
      },
      body: call.body,
      redirectsMax: 0,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      totalTimeoutMs: TOTAL_TIMEOUT_MS,
      responseBytesMax: RESPONSE_BYTES_MAX,
      onTooLong: 'cut',
      signal,
    });
    const responseExcerpt = await readExcerpt(response);
    return { ...resultOf(response, ctx.clock()), responseExcerpt, durationMs: elapsedMs() };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof FetchForbidden || error instanceof FetchFailed)) throw error;
    return failedCall(error.message, elapsedMs());
  }
}

/** Only 2xx counts. A redirect means a misconfigured receiver and is not followed, as docs/guides/webhooks.md says. */
function resultOf(response: GuardedResponse, now: Date): Omit<CallResult, 'responseExcerpt' | 'durationMs'> {
  const { status } = response;
  const delivered = status >= 200 && status <= 299;
  const redirected = status >= 300 && status <= 399;
  const retryAfter = response.headers['retry-after'];
  return {
    delivered,
    statusCode: status,
    error: delivered
      ? null
      : redirected
        ? `Answered ${status}: redirects are not followed`
        : `Answered ${status}`,
    retryAfterMs: delivered
      ? null
      : parseRetryAfterMs(Array.isArray(retryAfter) ? retryAfter[0] : retryAfter, now),
    gone: status === 410,
  };
}

async function readExcerpt(response: GuardedResponse): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let byteCount = 0;
  for await (const chunk of response.body) {
    // Reads to the end, so that the receiver sees its response accepted, but keeps only what the excerpt needs.
    if (byteCount < EXCERPT_BYTES_MAX) chunks.push(chunk);
    byteCount += chunk.length;
  }
  // PostgreSQL cannot store NUL.
  const text = Buffer.concat(chunks).toString('utf8').replaceAll('\0', '');
  return text === '' ? null : truncateText(text, EXCERPT_CHARACTERS_MAX);
}

/** The result of an attempt without a response. */
export function failedCall(error: string, durationMs: number): CallResult {
  return {
    delivered: false,
    statusCode: null,
    error,
    responseExcerpt: null,
    retryAfterMs: null,
    gone: false,
    durationMs,
  };
}
