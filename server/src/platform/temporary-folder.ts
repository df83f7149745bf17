import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Files older than this belong to nobody who is still writing or reading them. */
const STALE_MS = 24 * 3_600_000;

/** Makes the folder for files on their way, and removes those that a killed process left in it. */
export async function openTemporaryFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    // Another process may be removing it at the same time.
    const found = await stat(path).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > STALE_MS) await rm(path, { force: true });
  }
}
