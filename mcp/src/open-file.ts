import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';

/** A file of this machine to be sent; a sentence for what is none. */
export async function openFile(path: string): Promise<{ file: Blob; fileName: string }> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new Error(explainMissing(path, error), { cause: error });
  });
  if (!found.isFile()) throw new Error(`${resolve(path)} is not a file.`);
  return { file: await openAsBlob(path), fileName: basename(path) };
}

/** What a person or an assistant can act on; relative paths are told as they were understood. */
function explainMissing(path: string, { code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT' || code === 'ENOTDIR') return `There is no file ${resolve(path)}.`;
  if (code === 'EACCES' || code === 'EPERM') return `${resolve(path)} may not be read.`;
  return `${resolve(path)} cannot be read: ${message}`;
}
