import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Database } from '../platform/postgres.ts';
import { createAccessWatcher } from './access-watch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Watches `ws_a`; `notify` tells of a change of access to it. */
async function watch(isAllowed: () => Promise<boolean>) {
  let notify = (_workspaceId: string | null) => {};
  const listen: Database['listen'] = async (_channel, handler) => {
    notify = handler;
    return () => {};
  };
  const { lost, stop } = await createAccessWatcher({ listen } as Database).watch('ws_a', isAllowed);
  return { lost, stop, notify: () => notify('ws_a') };
}

test('access that was revoked before the watch began is lost at once', async () => {
  const { lost } = await watch(async () => false);
  expect(lost.aborted).toBe(true);
});

test('a check that failed is repeated, and its answer counts', async () => {
  const isAllowed = vi.fn(async () => true);
  const { lost, notify } = await watch(isAllowed);
  isAllowed.mockRejectedValueOnce(new Error('away')).mockResolvedValue(false);
  notify();
  await vi.advanceTimersByTimeAsync(499);
  expect(lost.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(lost.aborted).toBe(true);
});

test('a watch that is stopped during a failing check does not repeat it', async () => {
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
