import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AppError } from '../errors.ts';
import { assertStillAllowed } from '../http/access.ts';
import type { Database } from '../platform/postgres.ts';
import { createAccessWatcher } from './access-watch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Reports a change of access to `ws_a`, which `watch` watches. */
let notify = () => {};

async function watch(isAllowed: () => Promise<boolean>) {
  const listen: Database['listen'] = async (_channel, handler) => {
    notify = () => handler('ws_a');
    return () => {};
  };
  return createAccessWatcher({ listen } as Database).watch('ws_a', isAllowed);
}

test('access revoked before the watch begins is lost at once', async () => {
  const { lost } = await watch(async () => false);
  expect(lost.aborted).toBe(true);
});

test('a first check that fails ends the watch: neither time nor a change repeats it', async () => {
  const isAllowed = vi.fn(async () => Promise.reject(new Error('away')));
  await expect(watch(isAllowed)).rejects.toThrow('away');
  notify();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(isAllowed).toHaveBeenCalledTimes(1);
});

test.each([
  ['may go on', async () => true, null],
  ['has lost access', async () => false, 'unauthorized'],
  ['cannot be checked', () => Promise.reject(new AppError('unavailable', 'away')), 'unavailable'],
])(
  'after its body, a request that %s is refused or goes on, and is not checked again',
  async (_, answer, code) => {
    const isAllowed = vi.fn<() => Promise<boolean>>(answer);
    const checked = assertStillAllowed({ watchAccess: () => watch(isAllowed) });
    expect(
      await checked.then(
        () => null,
        (error: AppError) => error.code,
      ),
    ).toBe(code);
    notify();
    expect(isAllowed).toHaveBeenCalledTimes(1);
  },
);

test('a failed check is repeated after half a second, and its result counts', async () => {
  const isAllowed = vi.fn(async () => true);
  const { lost } = await watch(isAllowed);
  isAllowed.mockRejectedValueOnce(new Error('away')).mockResolvedValue(false);
  notify();
  await vi.advanceTimersByTimeAsync(499);
  expect(lost.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(lost.aborted).toBe(true);
});

test('isLost checks without waiting for a notification, and reports a failed check', async () => {
  const isAllowed = vi.fn(async () => true);
  const { lost, isLost } = await watch(isAllowed);
  expect(await isLost()).toBe(false);
  isAllowed.mockRejectedValueOnce(new Error('away'));
  await expect(isLost()).rejects.toThrow('away');
  isAllowed.mockResolvedValueOnce(false);
  expect(await isLost()).toBe(true);
  expect(lost.aborted).toBe(true);
  // Lost access does not come back.
  expect(await isLost()).toBe(true);
});

test('a watch stopped during a failing check does not repeat it, nor checks at the next change', async () => {
  const isAllowed = vi.fn(async () => true);
  const { stop } = await watch(isAllowed);
  let fail = (_error: Error) => {};
  isAllowed.mockImplementation(
    () =>
      new Promise((_, reject) => {
        fail = reject;
      }),
  );
  notify();
  stop();
  notify();
  fail(new Error('away'));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(isAllowed).toHaveBeenCalledTimes(2);
});

test('a watch stopped before the repeat of a failed check does not repeat it', async () => {
  const isAllowed = vi.fn(async () => true);
  const { stop } = await watch(isAllowed);
  isAllowed.mockRejectedValueOnce(new Error('away'));
  notify();
  await vi.advanceTimersByTimeAsync(499);
  stop();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(isAllowed).toHaveBeenCalledTimes(2);
});
