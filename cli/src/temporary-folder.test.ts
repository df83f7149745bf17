import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openTemporaryFolder } from './temporary-folder.ts';

it('listens for signals while folders are open, and not when none could be made', async () => {
  const countListeners = () => process.listenerCount('SIGTERM');
  const before = countListeners();
  const [first, second] = [openTemporaryFolder('earshot-test-'), openTemporaryFolder('earshot-test-')];
  await first.dispose();
  expect(countListeners()).toBe(before + 1);
  await second.dispose();
  expect([existsSync(first.path), existsSync(second.path)]).toEqual([false, false]);
  expect(countListeners()).toBe(before);
  expect(() => openTemporaryFolder('no-such-folder/')).toThrow('ENOENT');
  expect(countListeners()).toBe(before);
});
