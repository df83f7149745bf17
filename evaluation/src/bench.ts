/**
 * npm run bench [-- --file SONG.mp3] [--repeat N] [--before CHECKOUT] [--peers PYTHON] [--profile] [--long] [--folder SONGS] [--write]
 *
 * Seconds of audio per processor second: the command line from an MP3 file to the JSON, compared with its goals and with ffmpeg, which
 * only measures true-peak loudness; and the engine's stages in one process. Compare figures of the same run only: the speed of a shared
 * machine changes from hour to hour.
 *
 * --before also times another, built checkout. --peers also times librosa and Essentia, with a Python that has them. --profile adds the
 * functions that take the time. --long instead compares three minutes with two hours: processor time per minute of audio, and memory.
 * --folder 1000 instead analyses a thousand short songs by one command: cores used, and memory over time. --write puts the figures into
 * docs/benchmarks.md, which speaks of five minutes, so not with --file; those of --long are only printed.
 */

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { decodeFile } from '@earshot/decode';
import { type AnalysisModels, type PcmBlock, startAnalysis } from '@earshot/engine';
import { loadModels } from '@earshot/engine/models';
import { replaceSection } from '../../scripts/replace-section.mjs';
import { timeFolder } from './bench-folder.ts';
import { printLongRuns } from './bench-long.ts';
import { BENCHMARKS_PAGE, formatScenarios, type StageTime } from './bench-page.ts';
import { timeScenarios } from './bench-scenarios.ts';
import { CLEAN_ENVIRONMENT } from './command-line.ts';
import { childCpuSeconds, ownCpuSeconds } from './cpu-time.ts';
import { formatProfile, profileCommandLine } from './profile.ts';
import { songOfSeconds } from './repeat-song.ts';

const FIVE_MINUTES_SECONDS = 300;
const ONE_MINUTE_SECONDS = 60;
const CLIP_SECONDS = 30;
const COPY_COUNT = 4;
const PROFILE_ROWS_MAX = 30;

const { values: options } = parseArgs({
  options: {
    file: { type: 'string' },
    repeat: { type: 'string', default: '3' },
    before: { type: 'string' },
    peers: { type: 'string' },
    profile: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    folder: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
if (options.file && options.write)
  throw new Error('--write is for the song of five minutes, not with --file');
const folder = mkdtempSync(join(tmpdir(), 'earshot-bench-'));
try {
  if (options.long) await printLongRuns(folder);
  else if (options.folder) await printFolder(toCount(options.folder));
  else await printSpeeds();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function toCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new Error(`Not a count: ${text}`);
  return count;
}

async function printFolder(songCount: number): Promise<void> {
  const text = await timeFolder(folder, songCount);
  console.log(text);
  if (options.write) replaceSection(BENCHMARKS_PAGE, 'folder', text);
}

async function printSpeeds(): Promise<void> {
  const roundCount = toCount(options.repeat);
  const five = options.file ?? songOfSeconds(join(folder, 'five.mp3'), FIVE_MINUTES_SECONDS);
  const one = songOfSeconds(join(folder, 'one.mp3'), ONE_MINUTE_SECONDS);
  const copies = Array.from({ length: COPY_COUNT }, (_, copy) => {
    const path = join(folder, `song-${copy}.mp3`);
    copyFileSync(five, path);
    return path;
  });
  const clip = songOfSeconds(join(folder, 'clip.mp3'), CLIP_SECONDS);
  const { audioSeconds, blocks, format, decodeCpuSeconds } = await decodeWhole(five);
  const scenarios = timeScenarios({
    roundCount,
    five: { path: five, audioSeconds },
    one: { path: one, audioSeconds: ONE_MINUTE_SECONDS },
    clip: { path: clip, audioSeconds: CLIP_SECONDS },
    copies,
    before: options.before ?? null,
  });
  // Before the rounds: reading the weights is no part of listening.
  const models = loadModels();
  const engineStages = fastestRound(roundCount, () => timeEngine(format, blocks, models));
  const stages: StageTime[] = [
    ['decoding, in its child process', decodeCpuSeconds],
    ['engine, all groups', engineStages.reduce((sum, [, cpuSeconds]) => sum + cpuSeconds, 0)],
    ...engineStages.map(([stage, cpuSeconds]): StageTime => [`– ${stage}`, cpuSeconds]),
  ];
  const peers = options.peers
    ? execFileSync(options.peers, ['evaluation/peers.py', five], { encoding: 'utf8' })
    : null;
  const text = formatScenarios({
    scenarios,
    stages,
    peers,
    songSeconds: audioSeconds,
    roundCount,
    loadAverage: loadavg()[0]!,
    coreCount: availableParallelism(),
  });
  console.log(text);
  if (options.write) replaceSection(BENCHMARKS_PAGE, 'speed', text);
  if (!options.profile) return;
  const tables = [
    ['five minutes', five, audioSeconds],
    ['one minute', one, ONE_MINUTE_SECONDS],
  ] as const;
  const profile = tables
    .map(([name, path, audioSeconds]) => {
      const table = formatProfile(
        profileCommandLine(path, CLEAN_ENVIRONMENT),
        audioSeconds,
        PROFILE_ROWS_MAX,
      );
      return `An MP3 of ${name}, the process of the command line (its decoder is another):\n\n${table}`;
    })
    .join('\n\n');
  console.log(profile);
  if (options.write) replaceSection(BENCHMARKS_PAGE, 'profile', profile);
}

async function decodeWhole(path: string) {
  const cpuSecondsBefore = childCpuSeconds();
  const session = await decodeFile(path);
  const blocks: PcmBlock[] = [];
  for await (const block of session.blocks) blocks.push(block);
  const { durationSeconds } = await session.finish();
  return {
    audioSeconds: durationSeconds,
    blocks,
    format: session.format,
    decodeCpuSeconds: childCpuSeconds() - cpuSecondsBefore,
  };
}

function timeEngine(
  format: Parameters<typeof startAnalysis>[0],
  blocks: readonly PcmBlock[],
  models: AnalysisModels,
): StageTime[] {
  /** Each stage with the time at its start. */
  const marks: StageTime[] = [['listening: levels, spectra, quality, fingerprint', ownCpuSeconds()]];
  const analysis = startAnalysis(format, {}, models);
  for (const block of blocks) analysis.push(block);
  analysis.finish((stage) => marks.push([stage, ownCpuSeconds()]));
  marks.push(['end', ownCpuSeconds()]);
  const cpuSeconds = new Map<string, number>();
  for (const [index, [stage, fromCpuSeconds]] of marks.slice(0, -1).entries()) {
    cpuSeconds.set(stage, (cpuSeconds.get(stage) ?? 0) + marks[index + 1]![1] - fromCpuSeconds);
  }
  return [...cpuSeconds];
}

/** Stages of one round, so that they add up: the fastest of each stage from different rounds would belong to no run. */
function fastestRound(roundCount: number, measure: () => StageTime[]): StageTime[] {
  const total = (stages: StageTime[]) => stages.reduce((sum, [, cpuSeconds]) => sum + cpuSeconds, 0);
  return Array.from({ length: roundCount }, measure).reduce((a, b) => (total(b) < total(a) ? b : a));
}
