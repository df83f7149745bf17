/**
 * A folder of songs by one command: does it use every core, and does its memory stay where it is, however many there are? Short songs, because
 * it is the number of them that counts here.
 */

import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { CLEAN_ENVIRONMENT } from './bench-ways.ts';
import { commandLineOf, MEASURED } from './command-line.ts';
import { childCpuSeconds } from './cpu-time.ts';
import { treeBytes } from './process-tree.ts';
import { songOfSeconds } from './repeat-song.ts';

const SONG_SECONDS = 10;
const POLL_MS = 200;
/** Memory is told for each such part of the songs. The first warms up: engines start, and V8 compiles. */
const PARTS = 10;
/** Of the second part, at most, in the last: less than what V8's collector leaves lying about from one moment to the next. */
const GROWTH_MAX = 1.1;
/** Chosen: the rest goes to the first start, to the last song, for which one engine is enough, and to whoever watches. */
const CORE_SHARE_MIN = 0.9;

type Run = { wallSeconds: number; cpuSeconds: number; peakBytes: number[] };

export async function timeFolder(folder: string, songCount: number): Promise<string> {
  const songs = join(folder, 'songs');
  mkdirSync(songs);
  const clip = songOfSeconds(join(folder, 'ten-seconds.mp3'), SONG_SECONDS);
  for (let index = 0; index < songCount; index++) copyFileSync(clip, join(songs, `${index}.mp3`));
  return formatRun(await analyse(songs, songCount), songCount);
}

function analyse(songs: string, songCount: number): Promise<Run> {
  const startedMs = performance.now();
  const cpuSecondsBefore = childCpuSeconds();
  const child = spawn(
    process.execPath,
    [...MEASURED, commandLineOf('.'), 'analyze', '--json', '--no-progress', songs],
    { env: CLEAN_ENVIRONMENT, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let doneCount = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    for (const byte of chunk) if (byte === NEWLINE) doneCount++;
  });
  const peakBytes = Array.from({ length: PARTS }, () => 0);
  const timer = setInterval(() => {
    const part = Math.min(PARTS - 1, Math.floor((doneCount / songCount) * PARTS));
    peakBytes[part] = Math.max(peakBytes[part]!, treeBytes(child.pid!));
  }, POLL_MS);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      clearInterval(timer);
      if (code !== 0) reject(new Error(`The command line ended with ${code}`));
      else if (doneCount !== songCount) reject(new Error(`${doneCount} of ${songCount} songs were answered`));
      else
        resolve({
          wallSeconds: (performance.now() - startedMs) / 1000,
          cpuSeconds: childCpuSeconds() - cpuSecondsBefore,
          peakBytes,
        });
    });
  });
}

const NEWLINE = 0x0a;

function formatRun({ wallSeconds, cpuSeconds, peakBytes }: Run, songCount: number): string {
  const cores = availableParallelism();
  const coresUsed = cpuSeconds / wallSeconds;
  const growth = peakBytes.at(-1)! / peakBytes[1]!;
  const judge = (goal: string, met: boolean) => (met ? goal : `${goal}: **missed**`);
  return [
    `| ${songCount} songs of ${SONG_SECONDS} s by one command | measured | goal |`,
    '|---|---|---|',
    `| processor time a song | ${(cpuSeconds / songCount).toFixed(3)} s (${((songCount * SONG_SECONDS) / cpuSeconds).toFixed(0)} × real time) | |`,
    `| cores used, of ${cores} | ${coresUsed.toFixed(2)} | ${judge('every core', coresUsed >= CORE_SHARE_MIN * cores)} |`,
    `| memory of all its processes, the most in each tenth of the songs | ${peakBytes.map((bytes) => (bytes / 1e6).toFixed(0)).join(', ')} MB | |`,
    `| of it the last, of the second | ${growth.toFixed(2)} | ${judge('it does not grow', growth <= GROWTH_MAX)} |`,
  ].join('\n');
}
