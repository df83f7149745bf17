import { randomBytes } from 'node:crypto';
import { linkSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Creates a complete file that only its owner can read. link() never replaces a file, so of processes that do this at the same time one
 * succeeds, and the others keep that one's file.
 */
export function createFileOnce(path: string, text: string): void {
  const candidate = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(candidate, text, { mode: 0o600, flag: 'wx', flush: true });
    linkSync(candidate, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    // On a full disk there may be half of it, or nothing.
    rmSync(candidate, { force: true });
  }
}
