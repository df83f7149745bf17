import { mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const openFolders = new Set<string>();

/**
 * A folder for downloads, which can be hundreds of megabytes each. It is removed by `dispose`, or when a signal ends the
 * process: nothing else would remove it.
 */
export function openTemporaryFolder(prefix: string): { path: string; dispose(): Promise<void> } {
  // Before the folder exists, which is made synchronously: a signal that arrives meanwhile is handled once the set has it.
  if (openFolders.size === 0) for (const signal of SIGNALS) process.once(signal, removeAndExit);
  try {
    const path = mkdtempSync(join(tmpdir(), prefix));
    openFolders.add(path);
    return {
      path,
      async dispose() {
        await rm(path, { recursive: true, force: true });
        openFolders.delete(path);
        stopListeningIfNoneIsOpen();
      },
    };
  } catch (error) {
    stopListeningIfNoneIsOpen();
    throw error;
  }
}

/** With a listener, a signal has no effect until the thread is free. */
function stopListeningIfNoneIsOpen(): void {
  if (openFolders.size === 0) for (const signal of SIGNALS) process.off(signal, removeAndExit);
}

/** `once` has removed the listener, so sending the signal again has its default effect. */
function removeAndExit(signal: NodeJS.Signals): void {
  for (const folder of openFolders) rmSync(folder, { recursive: true, force: true });
  process.kill(process.pid, signal);
}
