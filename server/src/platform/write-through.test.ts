import fs, { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { writeThrough } from './write-through.ts';

const folder = await mkdtemp(join(tmpdir(), 'earshot-write-'));
const probe = await open(join(folder, 'probe'), 'w');
/** Shared by all file handles, so that a test can make one of their calls fail. */
const fileHandle = Object.getPrototypeOf(probe) as typeof probe;
await probe.close();
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});
afterAll(() => rm(folder, { recursive: true }));

async function* chunks(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}

it('goes on after a write that wrote only part of a chunk', async () => {
  const { write } = fileHandle;
  const oneByte = function (this: typeof probe, bytes: Uint8Array) {
    return Reflect.apply(write, this, [bytes, 0, 1]);
  };
  vi.spyOn(fileHandle, 'write').mockImplementation(oneByte as typeof write);
  const path = join(folder, 'short-writes');
  // SHA-256 of "abc", FIPS 180-2, B.1.
  expect(await writeThrough(path, chunks('ab', 'c'), 3)).toEqual({
    byteSize: 3,
    sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  });
  expect(await readFile(path, 'utf8')).toBe('abc');
});

it.each(['open', 'write', 'sync'] as const)('reports a disk that is full during %s', async (call) => {
  for (const code of ['ENOSPC', 'EDQUOT']) {
    const cause = Object.assign(new Error('full'), { code });
    if (call === 'open') vi.spyOn(fs, call).mockRejectedValueOnce(cause);
    else vi.spyOn(fileHandle, call).mockRejectedValueOnce(cause);
    syncBuiltinESMExports();
    await expect(writeThrough(join(folder, `${call}-${code}`), chunks('a'), 1)).rejects.toMatchObject({
      code: 'storage_full',
      cause,
    });
  }
});

it('passes on any other error', async () => {
  const error = Object.assign(new Error('broken'), { code: 'EIO' });
  vi.spyOn(fileHandle, 'write').mockRejectedValueOnce(error);
  await expect(writeThrough(join(folder, 'broken'), chunks('a'), 1)).rejects.toBe(error);
});

it('does not overwrite a file', async () => {
  await expect(writeThrough(join(folder, 'probe'), chunks('a'), 1)).rejects.toMatchObject({ code: 'EEXIST' });
});
