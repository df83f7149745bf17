/** The whole way of the command line, of another checkout's, and of ffmpeg, in turns: what slows the machine slows all of them. */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { commandLineOf, MEASURED } from './command-line.ts';
import { childCpuSeconds } from './cpu-time.ts';
import { songOfSeconds } from './repeat-song.ts';

/** Without what a machine may have set for every Node: NODE_EXTRA_CA_CERTS alone takes 80 ms of each start. */
export const CLEAN_ENVIRONMENT: NodeJS.ProcessEnv = { PATH: process.env.PATH, HOME: process.env.HOME };

const CLIP_SECONDS = 30;

export type Way = {
  name: string;
  audioSeconds: number;
  cpuSeconds: number;
  beforeCpuSeconds: number | null;
  goal: string;
  /** Null where there is nothing to compare with. */
  met: boolean | null;
};

type Input = {
  rounds: number;
  five: { path: string; seconds: number };
  one: { path: string; seconds: number };
  copies: readonly string[];
  /** Another checkout, built. */
  before: string | null;
};

export function timeWays({ rounds, five, one, copies, before }: Input): Way[] {
  const clip = songOfSeconds(join(copies[0]!, '..', 'clip.mp3'), CLIP_SECONDS);
  const jobs = { five: [five.path], one: [one.path], clip: [clip], four: copies };
  const least = timeRounds(rounds, jobs, copies, before);
  const ffmpeg = least.get('ffmpeg');
  const way = (
    key: string,
    name: string,
    audioSeconds: number,
    goal: string,
    judge: (cpuSeconds: number) => boolean | null,
  ): Way[] => {
    const cpuSeconds = least.get(key);
    if (cpuSeconds === undefined) return [];
    const beforeCpuSeconds = least.get(`${key}, before`) ?? null;
    return [{ name, audioSeconds, cpuSeconds, beforeCpuSeconds, goal, met: judge(cpuSeconds) }];
  };
  const atLeast = (speed: number, seconds: number) => (cpuSeconds: number) => seconds / cpuSeconds >= speed;
  const fourSeconds = copies.length * five.seconds;
  return [
    ...way('five', 'five minutes of MP3, file to JSON', five.seconds, '≥ 200 ×', atLeast(200, five.seconds)),
    ...way('one', 'one minute of MP3', one.seconds, '≥ 80 ×', atLeast(80, one.seconds)),
    ...way(
      'clip',
      'the first answer of the command line: 30 s of MP3',
      CLIP_SECONDS,
      '≤ 0.5 s of processor',
      (cpuSeconds) => cpuSeconds <= 0.5,
    ),
    ...way(
      'four',
      'four MP3s of five minutes by one command',
      fourSeconds,
      '≤ 0.6 of ffmpeg',
      (cpuSeconds) => (ffmpeg === undefined ? null : cpuSeconds <= 0.6 * ffmpeg),
    ),
    ...way('ffmpeg', 'ffmpeg: true-peak loudness of the four, one thread', fourSeconds, '', () => null),
  ];
}

/** The least processor seconds of each job here, in the other checkout ("…, before"), and of ffmpeg where there is one. */
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
  return timeProcess(process.execPath, [...MEASURED, commandLineOf(cwd), 'analyze', '--json', ...paths]);
}

function timeFfmpeg(path: string): number {
  const args = ['-v', 'quiet', '-threads', '1', '-i', path, '-af', 'ebur128=peak=true', '-f', 'null', '-'];
  return timeProcess('ffmpeg', args);
}

function timeProcess(program: string, args: readonly string[]): number {
  const before = childCpuSeconds();
  const { status } = spawnSync(program, args, {
    env: CLEAN_ENVIRONMENT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`${program} ended with ${status}`);
  return childCpuSeconds() - before;
}
