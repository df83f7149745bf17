/**
 * Does a long file cost more per minute than a song, and does memory stay bounded? Three minutes and two hours through the command
 * line: processor time, and the peak of the memory of all its processes together.
 */

import { join } from 'node:path';
import { runCommandLine } from './command-line.ts';
import { repeatSong, SONG_SECONDS } from './repeat-song.ts';

export async function printLongRuns(folder: string): Promise<void> {
  const cpuSecondsPerMinute: number[] = [];
  for (const [name, songCount] of [
    ['three minutes', 2],
    ['two hours', 80],
  ] as const) {
    let peakBytes = 0;
    const { cpuSeconds } = await runCommandLine(
      repeatSong(join(folder, 'song.mp3'), songCount),
      (memoryBytes) => {
        peakBytes = Math.max(peakBytes, memoryBytes);
      },
    );
    const minutes = (songCount * SONG_SECONDS) / 60;
    cpuSecondsPerMinute.push(cpuSeconds / minutes);
    console.log(
      `${name.padEnd(14)} ${(cpuSeconds / minutes).toFixed(3)} CPU s a minute, ` +
        `${(peakBytes / 1e6).toFixed(0)} MB at most`,
    );
  }
  const costPercent = (cpuSecondsPerMinute[1]! / cpuSecondsPerMinute[0]!) * 100;
  console.log(`two hours cost ${costPercent.toFixed(0)} % of what three minutes cost, by the minute`);
}
