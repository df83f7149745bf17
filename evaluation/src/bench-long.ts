/**
 * Does a long file cost more by the minute than a song, and does memory stay bounded? Three minutes and two hours through the command
 * line: processor time of all its processes, and the most memory the analysing process and the decoder each held.
 */

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MEASURED } from './command-line.ts';
import { childCpuSeconds } from './cpu-time.ts';
import { repeatSong, SONG_SECONDS } from './repeat-song.ts';

const POLL_MS = 100;

type Run = { cpuSeconds: number; analyserBytes: number; decoderBytes: number };

export async function printLongRuns(folder: string): Promise<void> {
  const cpuSecondsPerMinute: number[] = [];
  for (const [name, songCount] of [
    ['three minutes', 2],
    ['two hours', 80],
  ] as const) {
    const { cpuSeconds, analyserBytes, decoderBytes } = await analyse(
      repeatSong(join(folder, 'song.mp3'), songCount),
    );
    const minutes = (songCount * SONG_SECONDS) / 60;
    cpuSecondsPerMinute.push(cpuSeconds / minutes);
    console.log(
      `${name.padEnd(14)} ${(cpuSeconds / minutes).toFixed(3)} CPU s a minute, ` +
        `analysis ${toMegabytes(analyserBytes)} MB, decoder ${toMegabytes(decoderBytes)} MB at most`,
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
  const run: Run = { cpuSeconds: 0, analyserBytes: 0, decoderBytes: 0 };
  const timer = setInterval(() => {
    run.analyserBytes = Math.max(run.analyserBytes, peakBytes(child.pid!) ?? 0);
    for (const pid of childrenOf(child.pid!)) {
      run.decoderBytes = Math.max(run.decoderBytes, peakBytes(pid) ?? 0);
    }
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

/** The most memory a process has held so far (proc(5): VmHWM); null when it is gone. */
function peakBytes(pid: number): number | null {
  const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(readProc(`${pid}/status`))?.[1];
  return kibibytes === undefined ? null : Number(kibibytes) * 1024;
}

function childrenOf(pid: number): number[] {
  return readProc(`${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
}

/** Empty when the process is gone. */
function readProc(name: string): string {
  try {
    return readFileSync(`/proc/${name}`, 'latin1');
  } catch {
    return '';
  }
}

function toMegabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}
