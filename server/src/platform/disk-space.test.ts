import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isDiskSpaceLow, readDiskSpace } from './disk-space.ts';

it.each([
  [{ freeBytes: 99, totalBytes: 1_000 }, true],
  [{ freeBytes: 100, totalBytes: 1_000 }, false],
  [null, false],
])('%j is low: %s', (space, low) => {
  expect(isDiskSpaceLow(space)).toBe(low);
});

it('reads the space around an existing folder, and null for a missing one or one without a size', async () => {
  const space = (await readDiskSpace(tmpdir()))!;
  expect(space.freeBytes).toBeGreaterThan(0);
  expect(space.freeBytes).toBeLessThanOrEqual(space.totalBytes);
  expect(await readDiskSpace(join(tmpdir(), 'earshot-nowhere'))).toBeNull();
  // Has no blocks on Linux; missing on macOS.
  expect(await readDiskSpace('/proc')).toBeNull();
});
