import { SpanKind } from '@opentelemetry/api';
import type { Dependencies } from '../context.ts';
import { FetchFailed, FetchForbidden } from '../platform/fetch-errors.ts';
import type { GuardedResponse } from '../platform/guarded-fetch.ts';
import { inSpan } from '../platform/tracing.ts';
import { truncateText } from '../platform/truncate-text.ts';
import { parseRetryAfterMs } from './retry-schedule.ts';

/** Time and bytes as the contract promises; the rest is chosen. */
const TOTAL_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 5_000;
const RESPONSE_BYTES_MAX = 64 * 1024;
const EXCERPT_CHARACTERS_MAX = 2_000;
/** A character has four bytes at most: what these cut in two is past the excerpt. */
const EXCERPT_BYTES = 4 * EXCERPT_CHARACTERS_MAX;

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
  /** What the receiver answered, cut; null when nothing may be shown. */
  responseExcerpt: string | null;
  retryAfterMs: number | null;
  /** 410: the receiver wants no more calls. */
  gone: boolean;
  durationMs: number;
};

/** One POST to a receiver. Whatever it does, within 15 s there is a result; only our own stop throws. */
export async function callWebhook(
  ctx: Pick<Dependencies, 'guardedFetch' | 'clock' | 'metrics'>,
  call: WebhookCall,
  signal: AbortSignal,
): Promise<CallResult> {
  const attributes = { 'earshot.delivery_id': call.id };
  // The trace ends here: a receiver gets the headers of Standard Webhooks and nothing of our insides.
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
  const duration = () => Math.round(performance.now() - startedMs);
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
    return { ...judge(response, ctx.clock()), responseExcerpt, durationMs: duration() };
  } catch (error) {
    signal.throwIfAborted();
    return { ...failureOf(error), durationMs: duration() };
  }
}

/** Only 2xx counts: a redirect is a receiver that was set up wrongly, and where it points is not ours to try. */
function judge(response: GuardedResponse, now: Date): Omit<CallResult, 'responseExcerpt' | 'durationMs'> {
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
    // Read to its end, so that the receiver sees its answer taken; kept only as far as it is shown.
    if (byteCount < EXCERPT_BYTES) chunks.push(chunk);
    byteCount += chunk.length;
  }
  const text = truncateText(Buffer.concat(chunks).toString('utf8'), EXCERPT_CHARACTERS_MAX);
  // PostgreSQL cannot store NUL.
  return text === '' ? null : text.replaceAll('\0', '');
}

function failureOf(error: unknown): Omit<CallResult, 'durationMs'> {
  const nothing = {
    delivered: false,
    statusCode: null,
    responseExcerpt: null,
    retryAfterMs: null,
    gone: false,
  };
  if (error instanceof FetchForbidden || error instanceof FetchFailed)
    return { ...nothing, error: error.message };
  throw error;
}
