import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Those that are in use now. */
const folders = new Set<string>();

/**
 * A folder for what is on its way to this machine. A song may have hundreds of megabytes, and nobody else would remove it: a signal
 * that ends this process takes the folder away first.
 */
export async function openTemporaryFolder(
  prefix: string,
): Promise<{ path: string; dispose(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), prefix));
  // Not for longer than needed: a signal that is listened to waits for a busy thread.
  if (folders.size === 0) for (const signal of SIGNALS) process.once(signal, endAt);
  folders.add(path);
  return {
    path,
    async dispose() {
      await rm(path, { recursive: true, force: true });
      folders.delete(path);
      if (folders.size === 0) for (const signal of SIGNALS) process.off(signal, endAt);
    },
  };
}

/** Ends as without us: we listen once. */
function endAt(signal: NodeJS.Signals): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  process.kill(process.pid, signal);
}
