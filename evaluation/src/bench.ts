/**
 * npm run bench [-- --file SONG.mp3] [--repeat N] [--peers PYTHON] [--long]
 *
 * Seconds of audio per processor second: the whole way from an MP3 file to the JSON, as the command line walks it, and the
 * stages inside one process. Speed is a ratio on this machine, now; compare only figures of one run. With --peers, librosa and
 * Essentia are timed in the same run for what they can do, by a Python that has them. With --long, three minutes and two hours are
 * compared instead: processor time a minute of audio, and memory.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { decodeFile } from '@earshot/decode';
import { type PcmBlock, startAnalysis } from '@earshot/engine';
import { loadModels } from '@earshot/engine/models';
import { printLongRuns } from './bench-long.ts';
import { childCpuSeconds, ownCpuSeconds } from './cpu-time.ts';
import { repeatSong } from './repeat-song.ts';

/** Repetitions of the sample song, so that starting up does not count for a third of the figure. */
const SONG_REPEATS = 4;

const { values: options } = parseArgs({
  options: {
    file: { type: 'string' },
    repeat: { type: 'string', default: '3' },
    peers: { type: 'string' },
    long: { type: 'boolean', default: false },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'earshot-bench-'));
try {
  if (options.long) await printLongRuns(folder);
  else await printSpeeds(options.file ?? repeatSong(join(folder, 'song.mp3'), SONG_REPEATS));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function printSpeeds(path: string): Promise<void> {
  const rounds = Number(options.repeat);
  const { seconds, blocks, format, decodeCpuSeconds } = await decodeWhole(path);
  console.log(`${seconds.toFixed(1)} s of audio, best of ${rounds}\n`);
  printRow(
    'whole way, MP3 file to JSON',
    seconds,
    best(rounds, () => timeCommandLine(path)),
  );
  printRow('  decoding (child process)', seconds, decodeCpuSeconds);
  const stages = bestStages(rounds, () => timeEngine(format, blocks));
  printRow(
    '  engine, all groups',
    seconds,
    stages.reduce((sum, [, cpuSeconds]) => sum + cpuSeconds, 0),
  );
  for (const [stage, cpuSeconds] of stages) printRow(`    ${stage}`, seconds, cpuSeconds);
  if (options.peers) {
    console.log(execFileSync(options.peers, ['evaluation/peers.py', path], { encoding: 'utf8' }));
  }
}

async function decodeWhole(path: string) {
  const before = childCpuSeconds();
  const session = await decodeFile(path);
  const blocks: PcmBlock[] = [];
  for await (const block of session.blocks) blocks.push(block);
  const { durationSeconds } = await session.finish();
  return {
    seconds: durationSeconds,
    blocks,
    format: session.format,
    decodeCpuSeconds: childCpuSeconds() - before,
  };
}

function timeCommandLine(path: string): number {
  const before = childCpuSeconds();
  const { status } = spawnSync(process.execPath, ['cli/dist/earshot.js', 'analyze', '--json', path], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`The command line ended with ${status}`);
  return childCpuSeconds() - before;
}

function timeEngine(
  format: Parameters<typeof startAnalysis>[0],
  blocks: readonly PcmBlock[],
): [string, number][] {
  const marks: [string, number][] = [['listening: levels, spectra, fingerprint', ownCpuSeconds()]];
  const analysis = startAnalysis(format, {}, loadModels());
  for (const block of blocks) analysis.push(block);
  analysis.finish((stage) => marks.push([stage, ownCpuSeconds()]));
  marks.push(['end', ownCpuSeconds()]);
  const cpuSeconds = new Map<string, number>();
  for (const [index, [stage, from]] of marks.slice(0, -1).entries()) {
    cpuSeconds.set(stage, (cpuSeconds.get(stage) ?? 0) + marks[index + 1]![1] - from);
  }
  return [...cpuSeconds];
}

function best(rounds: number, measure: () => number): number {
  return Math.min(...Array.from({ length: rounds }, measure));
}

/** The round with the smallest sum, whole: stages of different rounds do not belong together. */
function bestStages(rounds: number, measure: () => [string, number][]): [string, number][] {
  const total = (stages: [string, number][]) => stages.reduce((sum, [, cpuSeconds]) => sum + cpuSeconds, 0);
  return Array.from({ length: rounds }, measure).reduce((a, b) => (total(b) < total(a) ? b : a));
}

function printRow(name: string, audioSeconds: number, cpuSeconds: number): void {
  const ratio = cpuSeconds > 0 ? (audioSeconds / cpuSeconds).toFixed(0) : '–';
  const perSecond = ((cpuSeconds / audioSeconds) * 1000).toFixed(2);
  console.log(`${name.padEnd(46)} ${ratio.padStart(6)} × real time  ${perSecond.padStart(7)} ms per second`);
}
