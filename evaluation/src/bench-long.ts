/**
 * Does a long file cost more by the minute than a song, and does memory stay bounded? Three minutes and two hours through the command
 * line: processor time and the most memory of all its processes at one moment.
 */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { MEASURED } from './command-line.ts';
import { childCpuSeconds } from './cpu-time.ts';
import { treeBytes } from './process-tree.ts';
import { repeatSong, SONG_SECONDS } from './repeat-song.ts';

const POLL_MS = 100;

type Run = { cpuSeconds: number; peakBytes: number };

export async function printLongRuns(folder: string): Promise<void> {
  const cpuSecondsPerMinute: number[] = [];
  for (const [name, songCount] of [
    ['three minutes', 2],
    ['two hours', 80],
  ] as const) {
    const { cpuSeconds, peakBytes } = await analyse(repeatSong(join(folder, 'song.mp3'), songCount));
    const minutes = (songCount * SONG_SECONDS) / 60;
    cpuSecondsPerMinute.push(cpuSeconds / minutes);
    console.log(
      `${name.padEnd(14)} ${(cpuSeconds / minutes).toFixed(3)} CPU s a minute, ` +
        `${(peakBytes / 1e6).toFixed(0)} MB at most`,
    );
  }
  console.log(
    `two hours cost ${((cpuSecondsPerMinute[1]! / cpuSecondsPerMinute[0]!) * 100).toFixed(0)} % of a song by the minute`,
  );
}

function analyse(path: string): Promise<Run> {
  const before = childCpuSeconds();
  const child = spawn(
    process.execPath,
    [...MEASURED, 'cli/dist/earshot.cjs', 'analyze', '--json', '--no-progress', path],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const run: Run = { cpuSeconds: 0, peakBytes: 0 };
  const timer = setInterval(() => {
    run.peakBytes = Math.max(run.peakBytes, treeBytes(child.pid!));
  }, POLL_MS);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      clearInterval(timer);
      if (code === 0) resolve({ ...run, cpuSeconds: childCpuSeconds() - before });
      else reject(new Error(`The command line ended with ${code}`));
    });
  });
}
