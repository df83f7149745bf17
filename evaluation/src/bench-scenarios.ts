/**
 * Times the command line from file to JSON, the same of another checkout, and ffmpeg. They run in turns, so that a slow spell of the
 * machine slows all of them alike.
 */

import { spawnSync } from 'node:child_process';
import { CLEAN_ENVIRONMENT, commandLinePath, MEASURED_FLAGS } from './command-line.ts';
import { childCpuSeconds } from './cpu-time.ts';

/** Goals, not measurements. Speed is seconds of audio per second of processor time. */
const FIVE_MINUTES_SPEED_MIN = 200;
const ONE_MINUTE_SPEED_MIN = 80;
const CLIP_CPU_SECONDS_MAX = 0.5;
/** Of the processor time of ffmpeg, for four songs. */
const FFMPEG_RATIO_MAX = 0.6;

export type Scenario = {
  name: string;
  audioSeconds: number;
  cpuSeconds: number;
  /** Of the other checkout; null where none was given. */
  beforeCpuSeconds: number | null;
  /** Null for ffmpeg, which is only compared with. */
  goal: string | null;
  /** Null without a goal, or without an ffmpeg to compare with. */
  met: boolean | null;
};

type TimedFile = { path: string; audioSeconds: number };

type Input = {
  roundCount: number;
  five: TimedFile;
  one: TimedFile;
  clip: TimedFile;
  /** Of the five-minute song, for one command to analyse together. */
  copies: readonly string[];
  /** Another checkout, built. */
  before: string | null;
};

export function timeScenarios({ roundCount, five, one, clip, copies, before }: Input): Scenario[] {
  const paths = { five: [five.path], one: [one.path], clip: [clip.path], four: copies };
  const leastCpuSeconds = timeRounds(roundCount, paths, before);
  return judgeScenarios(leastCpuSeconds, {
    ...{ five: five.audioSeconds, one: one.audioSeconds, clip: clip.audioSeconds },
    four: copies.length * five.audioSeconds,
  });
}

/** `leastCpuSeconds`: by scenario, "SCENARIO, before" in the other checkout, and "ffmpeg" where it is installed. */
export function judgeScenarios(
  leastCpuSeconds: ReadonlyMap<string, number>,
  audioSeconds: Readonly<Record<'five' | 'one' | 'clip' | 'four', number>>,
): Scenario[] {
  const cpuSecondsOf = (key: keyof typeof audioSeconds) => leastCpuSeconds.get(key)!;
  const speedOf = (key: keyof typeof audioSeconds) => audioSeconds[key] / cpuSecondsOf(key);
  const judge = (
    key: keyof typeof audioSeconds,
    name: string,
    goal: string,
    met: boolean | null,
  ): Scenario => ({
    ...{ name, audioSeconds: audioSeconds[key], cpuSeconds: cpuSecondsOf(key) },
    ...{ beforeCpuSeconds: leastCpuSeconds.get(`${key}, before`) ?? null, goal, met },
  });
  const clip = `the first answer of the command line: ${audioSeconds.clip} s of MP3`;
  const four = 'four MP3s of five minutes by one command';
  const ffmpegCpuSeconds = leastCpuSeconds.get('ffmpeg') ?? null;
  const isBelowFfmpeg =
    ffmpegCpuSeconds === null ? null : cpuSecondsOf('four') <= FFMPEG_RATIO_MAX * ffmpegCpuSeconds;
  const scenarios = [
    judge(
      'five',
      'five minutes of MP3, file to JSON',
      `≥ ${FIVE_MINUTES_SPEED_MIN} ×`,
      speedOf('five') >= FIVE_MINUTES_SPEED_MIN,
    ),
    judge('one', 'one minute of MP3', `≥ ${ONE_MINUTE_SPEED_MIN} ×`, speedOf('one') >= ONE_MINUTE_SPEED_MIN),
    judge(
      'clip',
      clip,
      `≤ ${CLIP_CPU_SECONDS_MAX} s of processor`,
      cpuSecondsOf('clip') <= CLIP_CPU_SECONDS_MAX,
    ),
    judge('four', four, `≤ ${FFMPEG_RATIO_MAX} of ffmpeg`, isBelowFfmpeg),
  ];
  if (ffmpegCpuSeconds === null) return scenarios;
  const ffmpeg: Scenario = {
    name: 'ffmpeg: true-peak loudness of the four, one thread',
    audioSeconds: audioSeconds.four,
    cpuSeconds: ffmpegCpuSeconds,
    ...{ beforeCpuSeconds: null, goal: null, met: null },
  };
  return [...scenarios, ffmpeg];
}

function timeRounds(
  roundCount: number,
  pathsByScenario: Readonly<Record<string, readonly string[]> & { four: readonly string[] }>,
  before: string | null,
): ReadonlyMap<string, number> {
  const hasFfmpeg = spawnSync('ffmpeg', ['-version'], { stdio: 'ignore' }).status === 0;
  const least = new Map<string, number>();
  const keep = (key: string, cpuSeconds: number): void => {
    least.set(key, Math.min(cpuSeconds, least.get(key) ?? Number.POSITIVE_INFINITY));
  };
  for (let round = 0; round < roundCount; round++) {
    for (const [name, paths] of Object.entries(pathsByScenario)) {
      keep(name, timeCommandLine('.', paths));
      if (before !== null) keep(`${name}, before`, timeCommandLine(before, paths));
    }
    if (hasFfmpeg) {
      const cpuSeconds = pathsByScenario.four.map(timeFfmpeg).reduce((sum, seconds) => sum + seconds, 0);
      keep('ffmpeg', cpuSeconds);
    }
  }
  return least;
}

function timeCommandLine(checkout: string, paths: readonly string[]): number {
  return timeProcess(process.execPath, [
    ...MEASURED_FLAGS,
    commandLinePath(checkout),
    'analyze',
    '--json',
    ...paths,
  ]);
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
  if (status !== 0) throw new Error(`${program} exited with ${status}`);
  return childCpuSeconds() - cpuSecondsBefore;
}
