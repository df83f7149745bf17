import { ApiError, ConnectionError } from '@earshot/sdk';
import { expect, it } from 'vitest';
import { retryWhileUnreachable } from './retry-while-unreachable.ts';

function startRetrying(work: () => Promise<number>, signal = new AbortController().signal) {
  const notices: string[] = [];
  const notify = (sentence: string) => void notices.push(sentence);
  return { notices, result: retryWhileUnreachable(work, { signal, waitMs: 1, notify }) };
}

it.each([
  new ConnectionError('No answer from http://service.test'),
  ...[502, 503, 504].map((status) => new ApiError(status, null, null)),
])('repeats the work after "$message", with one notice at the start and one at the end', async (failure) => {
  let tries = 0;
  const { notices, result } = startRetrying(async () => {
    tries += 1;
    if (tries < 4) throw failure;
    return tries;
  });
  expect(await result).toBe(4);
  expect(notices).toEqual([
    `${failure.message}. Asking again until there is an answer.`,
    'The service answers again.',
  ]);
});

it.each([401, 402, 422, 500])('does not retry a refusal: %i', async (status) => {
  const { notices, result } = startRetrying(() => Promise.reject(new ApiError(status, null, null)));
  await expect(result).rejects.toThrow(ApiError);
  expect(notices).toEqual([]);
});

it('stops waiting when the signal aborts', async () => {
  const stopping = new AbortController();
  const { result } = startRetrying(() => {
    setImmediate(() => stopping.abort());
    return Promise.reject(new ConnectionError('No answer'));
  }, stopping.signal);
  await expect(result).rejects.toMatchObject({ name: 'AbortError' });
});
