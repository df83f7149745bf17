import fs, { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ObjectMissing } from './storage.ts';
import { createFilesystemStorage } from './storage-filesystem.ts';
import { HOUR_MS } from './time-units.ts';

const root = await mkdtemp(join(tmpdir(), 'earshot-storage-'));
const storage = await createFilesystemStorage(root);
afterAll(() => rm(root, { recursive: true }));

const wav = { bytesMax: 10, contentType: 'audio/wav' };

async function* chunks(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}

function restore(): void {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
}

const temporaryFiles = () => readdir(join(root, 'temporary'));

describe('put', () => {
  it('stores the bytes and returns their size and hash', async () => {
    // SHA-256 of "abc", FIPS 180-2, B.1.
    expect(await storage.put('uploads/obj_1', chunks('a', '', 'bc'), wav)).toEqual({
      byteSize: 3,
      sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    });
    const { stream, byteSize } = await storage.read('uploads/obj_1');
    expect([byteSize, (await stream.toArray()).join('')]).toEqual([3, 'abc']);
  });

  it('accepts exactly the limit, and refuses one byte more without reading the rest', async () => {
    let readChunkCount = 0;
    async function* endless() {
      for (;;) {
        readChunkCount += 1;
        yield Buffer.from('12345');
      }
    }
    expect(await storage.put('uploads/obj_full', chunks('12345', '67890'), wav)).toMatchObject({
      byteSize: 10,
    });
    await expect(storage.put('uploads/obj_2', endless(), wav)).rejects.toMatchObject({
      code: 'payload_too_large',
    });
    expect(readChunkCount).toBe(3);
    expect(await storage.stat('uploads/obj_2')).toBeNull();
    expect(await temporaryFiles()).toEqual([]);
  });

  it('never replaces an object', async () => {
    await storage.put('uploads/obj_3', chunks('first'), wav);
    await expect(storage.put('uploads/obj_3', chunks('second'), wav)).rejects.toMatchObject({
      code: 'conflict',
    });
    const { path } = await storage.openFile('uploads/obj_3');
    expect(await readFile(path, 'utf8')).toBe('first');
  });

  it.each(['EPERM', 'ENOTSUP', 'ENOSYS'])(
    'stores and never replaces where links fail with %s',
    async (code) => {
      vi.spyOn(fs, 'link').mockRejectedValue(Object.assign(new Error('no hard links'), { code }));
      syncBuiltinESMExports();
      onTestFinished(restore);
      const key = `uploads/obj_${code.toLowerCase()}`;
      await storage.put(key, chunks('first'), wav);
      await expect(storage.put(key, chunks('second'), wav)).rejects.toMatchObject({ code: 'conflict' });
      const { path } = await storage.openFile(key);
      expect(await readFile(path, 'utf8')).toBe('first');
      expect(await temporaryFiles()).toEqual([]);
    },
  );

  it('reports a disk that is full when the file gets its name', async () => {
    vi.spyOn(fs, 'link').mockRejectedValue(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    syncBuiltinESMExports();
    onTestFinished(restore);
    await expect(storage.put('uploads/obj_6', chunks('x'), wav)).rejects.toMatchObject({
      code: 'storage_full',
    });
  });

  it('flushes the file and the parents of new folders before the file has its name, then its folder', async () => {
    const { open } = fs;
    const flushed: [path: string, isNamed: boolean][] = [];
    vi.spyOn(fs, 'open').mockImplementation(async (path, ...rest) => {
      const file = await open(path, ...rest);
      const sync = file.sync.bind(file);
      file.sync = async () => {
        flushed.push([relative(root, String(path)), (await storage.stat('new/inner/obj_1')) !== null]);
        await sync();
      };
      return file;
    });
    syncBuiltinESMExports();
    onTestFinished(restore);
    await storage.put('new/inner/obj_1', chunks('x'), wav);
    expect(flushed).toEqual([
      [expect.stringMatching(/^temporary\/\w+$/), false],
      ['objects', false],
      ['objects/new', false],
      ['objects/new/inner', true],
    ]);
  });

  it('lets only one of many concurrent writers succeed', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, writer) => storage.put('uploads/obj_race', chunks(`by ${writer}`), wav)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const winner = outcomes.findIndex(({ status }) => status === 'fulfilled');
    const { path } = await storage.openFile('uploads/obj_race');
    expect(await readFile(path, 'utf8')).toBe(`by ${winner}`);
    expect(await temporaryFiles()).toEqual([]);
  });

  it('leaves nothing behind when the source breaks', async () => {
    async function* breaking() {
      yield Buffer.from('abc');
      throw new Error('connection lost');
    }
    await expect(storage.put('uploads/obj_4', breaking(), wav)).rejects.toThrow('connection lost');
    expect(await storage.stat('uploads/obj_4')).toBeNull();
    expect(await temporaryFiles()).toEqual([]);
  });

  it.each(['a/b/c/d', 'a'.repeat(200)])('accepts the key %j', async (key) => {
    expect(await storage.put(key, chunks('x'), wav)).toMatchObject({ byteSize: 1 });
  });

  it.each([
    '../secret',
    '/etc/passwd',
    'a/../b',
    'a//b',
    '.hidden',
    'a/.b',
    'A',
    'a\0b',
    'a/b/c/d/e',
    '',
    'a'.repeat(201),
  ])('refuses the key %j', async (key) => {
    await expect(storage.put(key, chunks('x'), wav)).rejects.toThrow(/Not a storage key/);
  });
});

describe('the storage', () => {
  it('reads a range', async () => {
    await storage.put('uploads/obj_part', chunks('0123456789'), wav);
    const { stream, byteSize } = await storage.read('uploads/obj_part', { firstByte: 2, lastByte: 4 });
    expect([byteSize, (await stream.toArray()).join('')]).toEqual([3, '234']);
  });

  it('deletes an object, and does nothing for a missing one', async () => {
    await storage.put('uploads/obj_5', chunks('x'), wav);
    await storage.delete('uploads/obj_5');
    await storage.delete('uploads/obj_5');
    await expect(storage.read('uploads/obj_5')).rejects.toThrow(ObjectMissing);
    await expect(storage.openFile('uploads/obj_5')).rejects.toThrow(ObjectMissing);
  });

  it('removes temporary files older than a day when it is opened', async () => {
    for (const [name, hours] of [
      ['old', 25],
      ['young', 23],
    ] as const) {
      const path = join(root, 'temporary', name);
      const writtenAt = new Date(Date.now() - hours * HOUR_MS);
      await writeFile(path, 'x');
      await utimes(path, writtenAt, writtenAt);
    }
    await createFilesystemStorage(root);
    expect(await temporaryFiles()).toEqual(['young']);
  });
});
