import { ApiError, ConnectionError } from '@earshot/sdk';
import { expect, it } from 'vitest';
import { createPatience } from './patience.ts';

function patient(signal = new AbortController().signal) {
  const told: string[] = [];
  return { told, patiently: createPatience({ signal, waitMs: 1, tell: (line) => void told.push(line) }) };
}

it.each([
  ['does not answer', () => new ConnectionError('No answer from http://service.test')],
  ['is being replaced behind a proxy', () => new ApiError(503, null, null)],
])('asks again when the service %s, and says so once', async (_, away) => {
  const { told, patiently } = patient();
  let times = 0;
  const work = async () => {
    times += 1;
    if (times < 4) throw away();
    return times;
  };
  expect(await patiently(work)).toBe(4);
  expect(told).toEqual([
    `${away().message}. Asking again until there is an answer.`,
    'The service answers again.',
  ]);
});

it.each([401, 402, 422, 500])('does not ask again after a refusal: %i', async (status) => {
  const { told, patiently } = patient();
  await expect(patiently(() => Promise.reject(new ApiError(status, null, null)))).rejects.toThrow(ApiError);
  expect(told).toEqual([]);
});

it('ends when it is told to stop', async () => {
  const stopping = new AbortController();
  const { patiently } = patient(stopping.signal);
  const waiting = patiently(() => {
    setImmediate(() => stopping.abort());
    return Promise.reject(new ConnectionError('No answer'));
  });
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
});
