import { expect, it } from 'vitest';
import { FetchFailed, FetchForbidden } from '../platform/fetch-errors.ts';
import type { GuardedFetch, GuardedRequest } from '../platform/guarded-fetch.ts';
import { createMetrics } from '../platform/metrics.ts';
import { callWebhook } from './call.ts';

const WEBHOOK = { id: 'whd_1', url: 'https://a.test/', body: '{}', signature: 'v1,x', timestampSeconds: 7 };

/** Calls a receiver that gives this response, or fails with an error; also returns what the metrics count. */
async function callWith(
  receiver: Error | { status: number; text?: string; headers?: Record<string, string | string[]> },
  signal = new AbortController().signal,
) {
  const metrics = createMetrics();
  const requests: GuardedRequest[] = [];
  const fetch = async (request: GuardedRequest) => {
    requests.push(request);
    if (receiver instanceof Error) throw receiver;
    const { status, text = '', headers = {} } = receiver;
    async function* body() {
      yield Buffer.from(text);
    }
    return { status, headers, url: request.url, body: body(), discard: () => {} };
  };
  const guardedFetch: GuardedFetch = Object.assign(fetch, { isUrlAllowed: async () => true });
  const clock = () => new Date('2026-03-01T12:00:00Z');
  const result = await callWebhook({ guardedFetch, clock, metrics }, WEBHOOK, signal);
  const { values } = await metrics.webhookAttempts.get();
  const outcome = values.find(({ metricName }) => metricName?.endsWith('_count'))?.labels.outcome;
  return { result, outcome, request: requests[0]! };
}

it('follows no redirect, and limits the time and the response as promised', async () => {
  const { request } = await callWith({ status: 204 });
  expect(request).toMatchObject({
    redirectsMax: 0,
    totalTimeoutMs: 15_000,
    responseBytesMax: 65_536,
    onTooLong: 'cut',
  });
});

it.each([
  [200, true, 'delivered', false, null],
  [299, true, 'delivered', false, null],
  [199, false, 'refused', false, 'Answered 199'],
  [300, false, 'refused', false, 'Answered 300: redirects are not followed'],
  [399, false, 'refused', false, 'Answered 399: redirects are not followed'],
  [400, false, 'refused', false, 'Answered 400'],
  [410, false, 'refused', true, 'Answered 410'],
])('judges the status %i', async (status, delivered, outcome, gone, error) => {
  const answer = await callWith({ status });
  expect(answer.result).toMatchObject({ statusCode: status, delivered, gone, error });
  expect(answer.outcome).toBe(outcome);
});

it('reads the first Retry-After, but not of a delivered call', async () => {
  const headers = { 'retry-after': ['60', '90'] };
  expect((await callWith({ status: 503, headers })).result.retryAfterMs).toBe(60_000);
  expect((await callWith({ status: 200, headers })).result.retryAfterMs).toBeNull();
});

it.each([
  ['', null],
  ['\0\0', null],
  ['a\0b', 'ab'],
])('keeps of the response %j the excerpt %j', async (text, excerpt) => {
  expect((await callWith({ status: 200, text })).result.responseExcerpt).toBe(excerpt);
});

it.each([new FetchFailed('timeout', 'The host did not answer in time'), new FetchForbidden('port 25')])(
  'reports a receiver that was not reached: %s',
  async (error) => {
    const { result, outcome } = await callWith(error);
    expect(result).toMatchObject({ delivered: false, statusCode: null, error: error.message, gone: false });
    expect(outcome).toBe('unreachable');
  },
);

it('throws a fault of ours, and the reason of an abort', async () => {
  const fault = new TypeError('ours');
  await expect(callWith(fault)).rejects.toBe(fault);
  const stopped = new Error('stopped');
  const aborted = new FetchFailed('aborted', 'The request was aborted');
  await expect(callWith(aborted, AbortSignal.abort(stopped))).rejects.toBe(stopped);
});
