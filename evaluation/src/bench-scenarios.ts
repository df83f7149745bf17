/** The command line from file to JSON, that of another checkout, and ffmpeg, timed in turns: what slows the machine slows all of them. */

import { spawnSync } from 'node:child_process';
import { CLEAN_ENVIRONMENT, commandLinePath, MEASURED_FLAGS } from './command-line.ts';
import { childCpuSeconds } from './cpu-time.ts';

/** The goals of docs/benchmarks.md, chosen. Speed is seconds of audio per second of processor. */
const FIVE_SPEED_MIN = 200;
const ONE_SPEED_MIN = 80;
const CLIP_CPU_SECONDS_MAX = 0.5;
const FFMPEG_RATIO_MAX = 0.6;

export type Scenario = {
  name: string;
  audioSeconds: number;
  cpuSeconds: number;
  beforeCpuSeconds: number | null;
  /** Null where there is none. */
  goal: string | null;
  /** Null where there is no goal, or no ffmpeg to compare with. */
  met: boolean | null;
};

type TimedFile = { path: string; seconds: number };

type Input = {
  rounds: number;
  five: TimedFile;
  one: TimedFile;
  clip: TimedFile;
  /** Of the five minutes. */
  copies: readonly string[];
  /** Another checkout, built. */
  before: string | null;
};

export function timeScenarios({ rounds, five, one, clip, copies, before }: Input): Scenario[] {
  const jobs = { five: [five.path], one: [one.path], clip: [clip.path], four: copies };
  const least = timeRounds(rounds, jobs, copies, before);
  const ffmpeg = least.get('ffmpeg');
  const way = (
    key: string,
    name: string,
    audioSeconds: number,
    goal: string | null,
    judge: (cpuSeconds: number) => boolean | null,
  ): Scenario[] => {
    const cpuSeconds = least.get(key);
    if (cpuSeconds === undefined) return [];
    const beforeCpuSeconds = least.get(`${key}, before`) ?? null;
    return [{ name, audioSeconds, cpuSeconds, beforeCpuSeconds, goal, met: judge(cpuSeconds) }];
  };
  const atLeast = (speed: number, seconds: number) => (cpuSeconds: number) => seconds / cpuSeconds >= speed;
  const fourSeconds = copies.length * five.seconds;
  return [
    ...way(
      'five',
      'five minutes of MP3, file to JSON',
      five.seconds,
      `≥ ${FIVE_SPEED_MIN} ×`,
      atLeast(FIVE_SPEED_MIN, five.seconds),
    ),
    ...way(
      'one',
      'one minute of MP3',
      one.seconds,
      `≥ ${ONE_SPEED_MIN} ×`,
      atLeast(ONE_SPEED_MIN, one.seconds),
    ),
    ...way(
      'clip',
      `the first answer of the command line: ${clip.seconds} s of MP3`,
      clip.seconds,
      `≤ ${CLIP_CPU_SECONDS_MAX} s of processor`,
      (cpuSeconds) => cpuSeconds <= CLIP_CPU_SECONDS_MAX,
    ),
    ...way(
      'four',
      'four MP3s of five minutes by one command',
      fourSeconds,
      `≤ ${FFMPEG_RATIO_MAX} of ffmpeg`,
      (cpuSeconds) => (ffmpeg === undefined ? null : cpuSeconds <= FFMPEG_RATIO_MAX * ffmpeg),
    ),
    ...way('ffmpeg', 'ffmpeg: true-peak loudness of the four, one thread', fourSeconds, null, () => null),
  ];
}

/** The least processor seconds of each job: here, in the other checkout ("…, before"), and in ffmpeg where it is installed. */
function timeRounds(
  rounds: number,
  jobs: Readonly<Record<string, readonly string[]>>,
  copies: readonly string[],
  before: string | null,
): ReadonlyMap<string, number> {
  const hasFfmpeg = spawnSync('ffmpeg', ['-version'], { stdio: 'ignore' }).status === 0;
  const least = new Map<string, number>();
  const keep = (key: string, cpuSeconds: number): void => {
    least.set(key, Math.min(cpuSeconds, least.get(key) ?? Number.POSITIVE_INFINITY));
  };
  for (let round = 0; round < rounds; round++) {
    for (const [name, paths] of Object.entries(jobs)) {
      keep(name, timeCommandLine('.', paths));
      if (before !== null) keep(`${name}, before`, timeCommandLine(before, paths));
    }
    if (hasFfmpeg) {
      const cpuSeconds = copies.map(timeFfmpeg).reduce((sum, seconds) => sum + seconds, 0);
      keep('ffmpeg', cpuSeconds);
    }
  }
  return least;
}

function timeCommandLine(cwd: string, paths: readonly string[]): number {
  return timeProcess(process.execPath, [...MEASURED_FLAGS, commandLinePath(cwd), 'analyze', '--json', ...paths]);
}

function timeFfmpeg(path: string): number {
  const args = ['-v', 'quiet', '-threads', '1', '-i', path, '-af', 'ebur128=peak=true', '-f', 'null', '-'];
  return timeProcess('ffmpeg', args);
}

function timeProcess(program: string, args: readonly string[]): number {
  const cpuSecondsBefore = childCpuSeconds();
  const { status } = spawnSync(program, args, {
    env: CLEAN_ENVIRONMENT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`${program} ended with ${status}`);
  return childCpuSeconds() - cpuSecondsBefore;
}
