import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { afterAll, vi } from 'vitest';

/**
 * For the tests of a file: `delay` replaces `setTimeout` of node:timers/promises, which fake timers leave as it is. `vi.mock` would not
 * reach modules that another test file of the same worker has loaded.
 */
export function replaceDelays(delay: () => void): void {
  const replaced = vi.spyOn(timers, 'setTimeout').mockImplementation(async (_, value) => {
    delay();
    return value as never;
  });
  syncBuiltinESMExports();
  afterAll(() => {
    replaced.mockRestore();
    syncBuiltinESMExports();
  });
}
