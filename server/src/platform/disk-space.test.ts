import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isDiskSpaceLow, readDiskSpace } from './disk-space.ts';

it.each([
  [{ freeBytes: 99, totalBytes: 1_000 }, true],
  [{ freeBytes: 100, totalBytes: 1_000 }, false],
  [null, false],
])('%j is low: %s', (room, low) => {
  expect(isDiskSpaceLow(room)).toBe(low);
});

it('reads the room of an existing folder, and null for a missing one', async () => {
  const room = (await readDiskSpace(tmpdir()))!;
  expect(room.freeBytes).toBeGreaterThan(0);
  expect(room.freeBytes).toBeLessThanOrEqual(room.totalBytes);
  expect(await readDiskSpace(join(tmpdir(), 'earshot-nowhere'))).toBeNull();
});
