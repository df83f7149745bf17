import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS } from './time-units.ts';

/** Far longer than any process uses a temporary file. */
const STALE_MS = DAY_MS;

/** Creates the folder for temporary files and removes files that killed processes left there. */
export async function openTemporaryFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    // Null when another process has just removed it.
    const found = await stat(path).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > STALE_MS) await rm(path, { force: true });
  }
}
