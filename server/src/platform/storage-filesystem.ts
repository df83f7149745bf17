import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { alreadyStored, assertStorageKey, ObjectMissing, type Storage } from './storage.ts';
import { openTemporaryFolder } from './temporary-folder.ts';
import { rethrowAsFull, writeThrough } from './write-through.ts';

/**
 * Stores objects as files below `root/objects`. A file is written under a temporary name, flushed, linked to its final name and the folder
 * flushed, before the caller commits its row: a crash can leave a file without a row, never a row without a file.
 */
export async function createFilesystemStorage(root: string): Promise<Storage> {
  const objects = join(root, 'objects');
  const temporary = join(root, 'temporary');
  await mkdir(objects, { recursive: true, mode: 0o700 });
  await openTemporaryFolder(temporary);

  const pathOf = (key: string) => {
    assertStorageKey(key);
    return join(objects, key);
  };

  return {
    async put(key, source, options) {
      const path = pathOf(key);
      const partial = join(temporary, randomBytes(16).toString('hex'));
      try {
        const stored = await writeThrough(partial, source, options.bytesMax);
        await makeFolders(dirname(path), objects);
        await publish(partial, path);
        await flushFolder(dirname(path));
        return stored;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw alreadyStored();
        rethrowAsFull(error);
      } finally {
        await rm(partial, { force: true });
      }
    },
    async openFile(key) {
      const path = pathOf(key);
      const { byteSize } = await mustStat(path, key);
      return { path, byteSize, release: async () => {} };
    },
    async read(key, range) {
      const path = pathOf(key);
      const { byteSize } = await mustStat(path, key);
      if (!range) return { stream: createReadStream(path), byteSize };
      const { firstByte: start, lastByte: end } = range;
      return { stream: createReadStream(path, { start, end }), byteSize: end - start + 1 };
    },
    async stat(key) {
      const found = await stat(pathOf(key)).catch(nullIfMissing);
      return found && { byteSize: found.size };
    },
    async delete(key) {
      await rm(pathOf(key), { force: true });
    },
    presignPut: async () => null,
  };
}

/** link() never replaces a file. On a filesystem without hard links we check and rename: keys are random, so no other writer interferes. */
async function publish(partial: string, path: string): Promise<void> {
  try {
    await link(partial, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw error;
    if ((await stat(path).catch(nullIfMissing)) !== null) throw alreadyStored();
    await rename(partial, path);
  }
}

/** A new folder survives a crash only once its parent has been flushed. */
async function makeFolders(folder: string, root: string): Promise<void> {
  if (folder === root) return;
  await makeFolders(dirname(folder), root);
  const isNew = await mkdir(folder, { mode: 0o700 }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
  if (isNew) await flushFolder(dirname(folder));
}

async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function mustStat(path: string, key: string): Promise<{ byteSize: number }> {
  const found = await stat(path).catch(nullIfMissing);
  if (found === null) throw new ObjectMissing(key);
  return { byteSize: found.size };
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
