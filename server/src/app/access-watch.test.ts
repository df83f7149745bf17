import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AppError } from '../errors.ts';
import { assertStillAllowed } from '../http/access.ts';
import type { Database } from '../platform/postgres.ts';
import { createAccessWatcher } from './access-watch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Watches `ws_a`; `notify` reports a change of access to it. */
async function watch(isAllowed: () => Promise<boolean>) {
  let notify = (_workspaceId: string | null) => {};
  const listen: Database['listen'] = async (_channel, handler) => {
    notify = handler;
    return () => {};
  };
  const access = await createAccessWatcher({ listen } as Database).watch('ws_a', isAllowed);
  return { ...access, notify: () => notify('ws_a') };
}

test('access revoked before the watch begins is lost at once', async () => {
  const { lost } = await watch(async () => false);
  expect(lost.aborted).toBe(true);
});

test('a first check that fails ends the watch, which repeats nothing', async () => {
  const isAllowed = vi.fn(async () => Promise.reject(new Error('away')));
  await expect(watch(isAllowed)).rejects.toThrow('away');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(isAllowed).toHaveBeenCalledTimes(1);
});

test.each([
  ['may go on', async () => true, null],
  ['has lost access', async () => false, 'unauthorized'],
  ['cannot be checked', () => Promise.reject(new AppError('unavailable', 'away')), 'unavailable'],
])('after its body, a request that %s', async (_, isAllowed, code) => {
  const checked = assertStillAllowed({ watchAccess: () => watch(isAllowed) });
  expect(
    await checked.then(
      () => null,
      (error: AppError) => error.code,
    ),
  ).toBe(code);
});

test('a failed check is repeated after half a second, and its result counts', async () => {
  const isAllowed = vi.fn(async () => true);
  const { lost, notify } = await watch(isAllowed);
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

test('a watch stopped during a failing check does not repeat it', async () => {
  const isAllowed = vi.fn(async () => true);
  const { stop, notify } = await watch(isAllowed);
  let fail = (_error: Error) => {};
  isAllowed.mockImplementation(
    () =>
      new Promise((_, reject) => {
        fail = reject;
      }),
  );
  notify();
  stop();
  fail(new Error('away'));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(isAllowed).toHaveBeenCalledTimes(2);
});
