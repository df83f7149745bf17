import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const openFolders = new Set<string>();

/**
 * A folder for downloads, which can be hundreds of megabytes each. It is removed by `dispose`, or when a signal ends the
 * process: nothing else would remove it.
 */
export async function openTemporaryFolder(
  prefix: string,
): Promise<{ path: string; dispose(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), prefix));
  // Only while needed: with a listener, a signal has no effect until the thread is free.
  if (openFolders.size === 0) for (const signal of SIGNALS) process.once(signal, removeAndExit);
  openFolders.add(path);
  return {
    path,
    async dispose() {
      await rm(path, { recursive: true, force: true });
      openFolders.delete(path);
      if (openFolders.size === 0) for (const signal of SIGNALS) process.off(signal, removeAndExit);
    },
  };
}

/** `once` has removed the listener, so sending the signal again has its default effect. */
function removeAndExit(signal: NodeJS.Signals): void {
  for (const folder of openFolders) rmSync(folder, { recursive: true, force: true });
  process.kill(process.pid, signal);
}
