import { constants, openAsBlob } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';

/** Opens a file of this machine for upload; throws a sentence for the user if it cannot. */
export async function openFile(path: string): Promise<{ file: Blob; fileName: string }> {
  const explain = (error: NodeJS.ErrnoException): never => {
    throw new Error(explainUnreadable(path, error), { cause: error });
  };
  const found = await stat(path).catch(explain);
  if (!found.isFile()) throw new Error(`${resolve(path)} is not a file.`);
  // The Blob opens the file only when it is sent.
  await access(path, constants.R_OK).catch(explain);
  return { file: await openAsBlob(path), fileName: basename(path) };
}

/** A reason that the user can act on, with the path made absolute. */
export function explainUnreadable(path: string, { code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT' || code === 'ENOTDIR') return `There is no file ${resolve(path)}.`;
  if (code === 'EACCES' || code === 'EPERM') return `${resolve(path)} may not be read.`;
  return `${resolve(path)} cannot be read: ${message}`;
}
