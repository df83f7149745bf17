/** How the benches start the command line of a built checkout. */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { childCpuSeconds } from './cpu-time.ts';
import { treeBytes } from './process-tree.ts';

/** Node's flags for a program whose processor time is measured. The path is relative: run in the root of the checkout. */
export const MEASURED_FLAGS = ['--require', './evaluation/src/wait-for-decoders.cjs'];

/** Without variables that a machine may set for every Node: NODE_EXTRA_CA_CERTS alone adds 80 ms to each start. */
export const CLEAN_ENVIRONMENT: NodeJS.ProcessEnv = { PATH: process.env.PATH, HOME: process.env.HOME };

/** Chosen: often enough to see the peak of a song of ten seconds, at the cost of a few reads of /proc. */
const POLL_MS = 100;
const NEWLINE = 0x0a;

/** The command line's program in a built checkout. Versions older than the code cache were built as an ES module. */
export function commandLinePath(checkout: string): string {
  const program = join(checkout, 'cli/dist/earshot.cjs');
  return existsSync(program) ? program : join(checkout, 'cli/dist/earshot.js');
}

/**
 * Analyses a file or a folder. While it runs, `onPoll` gets the memory of all its processes and the number of lines it has
 * printed, which for a folder is one for each song.
 */
export function runCommandLine(
  path: string,
  onPoll: (memoryBytes: number, lineCount: number) => void,
): Promise<{ wallSeconds: number; cpuSeconds: number; lineCount: number }> {
  const startedMs = performance.now();
  const cpuSecondsBefore = childCpuSeconds();
  const child = spawn(
    process.execPath,
    [...MEASURED_FLAGS, commandLinePath('.'), 'analyze', '--json', '--no-progress', path],
    { env: CLEAN_ENVIRONMENT, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let lineCount = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    for (const byte of chunk) if (byte === NEWLINE) lineCount++;
  });
  const timer = setInterval(() => onPoll(treeBytes(child.pid!), lineCount), POLL_MS);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      clearInterval(timer);
      if (code !== 0) return reject(new Error(`The command line ended with ${code}`));
      resolve({
        wallSeconds: (performance.now() - startedMs) / 1000,
        cpuSeconds: childCpuSeconds() - cpuSecondsBefore,
        lineCount,
      });
    });
  });
}
