import { Earshot } from '@earshot/sdk';
import { expect, it, onTestFinished, vi } from 'vitest';
import { networkFailureAs503 } from './network-failure.ts';

function createClient(send: typeof fetch) {
  return new Earshot({ baseUrl: 'http://service.test', retriesMax: 1, fetch: networkFailureAs503(send) });
}

it('an unreachable service is retried, then reported in a sentence without its URL', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let requestCount = 0;
  const earshot = createClient(async () => {
    requestCount++;
    throw new TypeError('Failed to fetch');
  });
  const refused = expect(earshot.request('getProfile', {})).rejects.toThrow(
    /^The service does not answer\. Try again in a moment\.$/,
  );
  // The delay before the retry.
  await vi.runAllTimersAsync();
  await refused;
  expect(requestCount).toBe(2);
});

it('a request aborted by the caller rejects with the reason of its signal', async () => {
  const send = networkFailureAs503(async (_, init) => {
    throw init?.signal?.reason;
  });
  const signal = AbortSignal.abort(new Error('left'));
  await expect(send('http://service.test/', { signal })).rejects.toThrow('left');
});

it.each([undefined, {}])(
  "a failure of a request without a signal is the service's, with options %j",
  async (init) => {
    const send = networkFailureAs503(async () => {
      throw new TypeError('Failed to fetch');
    });
    expect((await send('http://service.test/', init)).status).toBe(503);
  },
);

it('a timeout is reported as an unreachable service', async () => {
  const send = networkFailureAs503(async (_, init) => {
    throw init?.signal?.reason;
  });
  const timedOut = AbortSignal.abort(new DOMException('The operation timed out.', 'TimeoutError'));
  const response = await send('http://service.test/', { signal: timedOut });
  expect(response.status).toBe(503);
  expect(await response.json()).toEqual({ detail: 'The service does not answer. Try again in a moment.' });
});
