import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Database } from '../platform/postgres.ts';
import { createAccessWatcher } from './access-watch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('nobody asks on for one who left while the database could not say', async () => {
  let notify = (_workspaceId: string | null) => {};
  const listen: Database['listen'] = async (_channel, handler) => {
    notify = handler;
    return () => {};
  };
  const isAllowed = vi.fn(async () => true);
  const { stop } = await createAccessWatcher({ listen } as Database).watch('ws_a', isAllowed);
  let fail = (_error: Error) => {};
  isAllowed.mockImplementation(
    () =>
      new Promise((_, reject) => {
        fail = reject;
      }),
  );
  notify('ws_a');
  stop();
  fail(new Error('away'));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(isAllowed).toHaveBeenCalledTimes(2);
});
