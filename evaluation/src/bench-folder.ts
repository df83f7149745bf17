/**
 * Analyses a folder of songs with one command: does it use every core, and is its memory independent of the number of songs? The songs
 * are short, because only their number matters here.
 */

import { copyFileSync, mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { runCommandLine } from './command-line.ts';
import { songOfSeconds } from './repeat-song.ts';

const SONG_SECONDS = 10;
/** The memory peak is recorded for each tenth of the songs. The first tenth is warm-up: engines start, and V8 compiles. */
const PART_COUNT = 10;
/** Peak of the last part divided by that of the second; V8's garbage collector alone varies by less than a tenth. */
const GROWTH_RATIO_MAX = 1.1;
/** The rest is spent on the first start, on the last song, which occupies only one engine, and on this bench. */
const CORE_SHARE_MIN = 0.9;

type Run = { wallSeconds: number; cpuSeconds: number; peakBytes: readonly number[] };

export async function timeFolder(folder: string, songCount: number): Promise<string> {
  const songs = join(folder, 'songs');
  mkdirSync(songs);
  const clip = songOfSeconds(join(folder, 'ten-seconds.mp3'), SONG_SECONDS);
  for (let index = 0; index < songCount; index++) copyFileSync(clip, join(songs, `${index}.mp3`));
  return formatFolderRun(await analyse(songs, songCount), songCount);
}

async function analyse(songs: string, songCount: number): Promise<Run> {
  const peakBytes = Array.from({ length: PART_COUNT }, () => 0);
  const { wallSeconds, cpuSeconds, lineCount } = await runCommandLine(songs, (memoryBytes, doneCount) => {
    const part = Math.min(PART_COUNT - 1, Math.floor((doneCount / songCount) * PART_COUNT));
    peakBytes[part] = Math.max(peakBytes[part]!, memoryBytes);
  });
  if (lineCount !== songCount) throw new Error(`${lineCount} of ${songCount} songs were analysed`);
  if (peakBytes.includes(0))
    throw new Error(`${songCount} songs are too few: a tenth of them finished before its memory was read`);
  return { wallSeconds, cpuSeconds, peakBytes };
}

export function formatFolderRun(
  { wallSeconds, cpuSeconds, peakBytes }: Run,
  songCount: number,
  coreCount = availableParallelism(),
): string {
  const coresUsed = cpuSeconds / wallSeconds;
  const growthRatio = peakBytes.at(-1)! / peakBytes[1]!;
  const judge = (goal: string, met: boolean) => (met ? goal : `${goal}: **missed**`);
  return [
    `| ${songCount} songs of ${SONG_SECONDS} s by one command | measured | goal |`,
    '|---|---|---|',
    `| processor time per song | ${(cpuSeconds / songCount).toFixed(3)} s (${((songCount * SONG_SECONDS) / cpuSeconds).toFixed(0)} × real time) | |`,
    `| cores used, of ${coreCount} | ${coresUsed.toFixed(2)} | ${judge('every core', coresUsed >= CORE_SHARE_MIN * coreCount)} |`,
    `| peak memory of all its processes in each tenth of the songs | ${peakBytes.map((bytes) => (bytes / 1e6).toFixed(0)).join(', ')} MB | |`,
    `| last tenth ÷ second tenth | ${growthRatio.toFixed(2)} | ${judge('it does not grow', growthRatio <= GROWTH_RATIO_MAX)} |`,
  ].join('\n');
}
