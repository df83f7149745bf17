import { ApiError, ConnectionError } from '@earshot/sdk';
import { expect, it } from 'vitest';
import { retryWhileUnreachable } from './retry-while-unreachable.ts';

function startRetrying(
  work: () => Promise<number>,
  { signal = new AbortController().signal, waitMs = 1 } = {},
) {
  const notices: string[] = [];
  const notify = (sentence: string) => void notices.push(sentence);
  return { notices, result: retryWhileUnreachable(work, { signal, waitMs, notify }) };
}

it.each([
  [new ConnectionError('No answer from http://service.test'), 'No answer from http://service.test.'],
  [new ApiError(502, null, null), 'The service answered 502.'],
  [new ApiError(503, { detail: 'Try again soon.' }, null), 'Try again soon.'],
  [new ApiError(504, null, null), 'The service answered 504.'],
])(
  'repeats the work after "%s", with one notice at the start and one at the end',
  async (failure, reason) => {
    let tries = 0;
    const { notices, result } = startRetrying(async () => {
      tries += 1;
      if (tries < 4) throw failure;
      return tries;
    });
    expect(await result).toBe(4);
    expect(notices).toEqual([
      `${reason} Asking again until there is an answer.`,
      'The service answers again.',
    ]);
  },
);

it.each([
  ...[401, 402, 422, 500].map((status) => new ApiError(status, null, null)),
  new TypeError('a fault of this program'),
])('throws "$message" at once', async (failure) => {
  const { notices, result } = startRetrying(() => Promise.reject(failure));
  await expect(result).rejects.toBe(failure);
  expect(notices).toEqual([]);
});

it('stops waiting when the signal aborts', async () => {
  const stopping = new AbortController();
  const work = () => {
    setImmediate(() => stopping.abort());
    return Promise.reject(new ConnectionError('No answer'));
  };
  const { result } = startRetrying(work, { signal: stopping.signal, waitMs: 3_600_000 });
  await expect(result).rejects.toMatchObject({ name: 'AbortError' });
});
