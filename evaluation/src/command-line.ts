/** Starts the command line of a built checkout for the benches. */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { childCpuSeconds } from './cpu-time.ts';
import { treeBytes } from './process-tree.ts';

/** Node's flags for a program whose processor time is measured. The path is relative to the root of the checkout. */
export const MEASURED_FLAGS = ['--require', './evaluation/src/wait-for-decoders.cjs'];

/** Leaves out variables that slow every start of Node: NODE_EXTRA_CA_CERTS alone adds 80 ms (docs/benchmarks.md). */
export const CLEAN_ENVIRONMENT: NodeJS.ProcessEnv = { PATH: process.env.PATH, HOME: process.env.HOME };

/** Often enough to catch the memory peak of a ten-second song, and no more than a few reads of /proc each time. */
const POLL_MS = 100;
const NEWLINE = 0x0a;

/** Versions older than the code cache were built as an ES module. */
export function commandLinePath(checkout: string): string {
  const program = join(checkout, 'cli/dist/earshot.cjs');
  return existsSync(program) ? program : join(checkout, 'cli/dist/earshot.js');
}

/**
 * Analyses a file or a folder. Meanwhile `onPoll` gets the memory of all processes and the number of lines printed so far: one per
 * analysed song.
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
      if (code !== 0) return reject(new Error(`The command line exited with ${code}`));
      resolve({
        wallSeconds: (performance.now() - startedMs) / 1000,
        cpuSeconds: childCpuSeconds() - cpuSecondsBefore,
        lineCount,
      });
    });
  });
}
