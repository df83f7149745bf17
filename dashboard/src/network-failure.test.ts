import { Earshot } from '@earshot/sdk';
import { expect, it } from 'vitest';
import { networkFailureAs503 } from './network-failure.ts';

function studio(send: typeof fetch) {
  return new Earshot({ baseUrl: 'http://service.test', retriesMax: 1, fetch: networkFailureAs503(send) });
}

it('a service that is stopped does not answer, in words without an address, after it was asked again', async () => {
  let askedCount = 0;
  const earshot = studio(async () => {
    askedCount++;
    throw new TypeError('Failed to fetch');
  });
  await expect(earshot.request('getProfile', {})).rejects.toThrow(
    /^The service does not answer\. Try again in a moment\.$/,
  );
  expect(askedCount).toBe(2);
});

it('whoever leaves gets its own reason', async () => {
  const stop = new AbortController();
  const earshot = studio(async (_, init) => {
    stop.abort(new Error('left'));
    throw init?.signal?.reason;
  });
  await expect(earshot.request('getProfile', { signal: stop.signal })).rejects.toThrow('left');
});
