/**
 * Does a long file cost more per minute than a song, and is memory bounded? Analyses three minutes and two hours with the command
 * line: processor time, and the peak memory of all its processes together.
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
      `${name.padEnd(14)} ${(cpuSeconds / minutes).toFixed(3)} CPU s per minute, ` +
        `${(peakBytes / 1e6).toFixed(0)} MB peak`,
    );
  }
  const costPercent = (cpuSecondsPerMinute[1]! / cpuSecondsPerMinute[0]!) * 100;
  console.log(`a minute of the two hours costs ${costPercent.toFixed(0)} % of a minute of the three`);
}
