import { spawn } from 'node:child_process';
import { cpus } from 'node:os';
import type { Member } from '../fleet.ts';
import { waitForJobs } from '../idle.ts';
import { type Outcome, runScenario } from '../scenario.ts';
import { secondsOf } from '../seconds.ts';
import { until } from '../until.ts';
import { patchServer } from '../variants/build-variant.ts';
import { QUICK_LEASE_MS, SHORT_LEASES } from '../variants/clocks.ts';
import type { World } from '../world.ts';
import { waitForWorker } from './provocations.ts';

/** A machine that has not produced enough zombies by then is too slow for this scenario. */
const ZOMBIE_MS_MAX = 600_000;

/** Each is longer than the work takes with the shortened clocks, even on a busy machine. */
const LEASED_MS_MAX = 3_000;
const REPLACED_MS_MAX = 30_000;
const JOBS_MS_MAX = 60_000;
const ZOMBIE_JOBS_MS_MAX = 90_000;
const STARVED_JOBS_MS_MAX = 240_000;
const EXIT_MS_MAX = 30_000;
const START_MS_MAX = 60_000;

/** What the workers do when they are stopped: fetch 8 songs from slow servers, or analyse 4 longer ones. */
const SLEEPS = {
  downloads: { operation: 'slow', jobKind: 'analysis.download', jobCount: 8 },
  analyses: { operation: 'medium', jobKind: 'analysis.run', jobCount: 4 },
} as const;

/**
 * Workers are stopped until their leases have expired: half of them in each round, in two rounds of three during downloads, otherwise
 * during analyses. In every other round they resume while another worker runs the job, otherwise after the analysis has ended.
 */
export function runZombies(seed: string, sleepsMin: number): Promise<Outcome> {
  const options = {
    name: 'zombies',
    seed,
    tenantCount: 2,
    serveCount: 1,
    workCount: 4,
    patches: SHORT_LEASES,
  };
  return runScenario(options, async ({ world, driver, problems }) => {
    const startedMs = performance.now();
    const zombies = { downloads: 0, analyses: 0 };
    const count = () => zombies.downloads + zombies.analyses;
    for (let round = 0; count() < sleepsMin && performance.now() - startedMs < ZOMBIE_MS_MAX; round += 1) {
      const during = round % 3 === 0 ? 'analyses' : 'downloads';
      const { operation, jobKind, jobCount } = SLEEPS[during];
      await Promise.all(Array.from({ length: jobCount }, () => driver.perform(operation)));
      await until(async () => (await findLeases(world, jobKind)).length === jobCount, LEASED_MS_MAX, 20);
      zombies[during] += await sleepThroughLeases(world, jobKind, round % 2 === 0 ? 'running' : 'ended');
      await waitForJobs(world, ZOMBIE_JOBS_MS_MAX);
    }
    if (count() < sleepsMin) problems.push(`only ${count()} workers slept through their lease`);
    for (const [during, slept] of Object.entries(zombies))
      if (slept === 0) problems.push(`no worker slept through its lease during ${during}`);
    return { zombies: count(), 'during downloads': zombies.downloads, 'during analyses': zombies.analyses };
  });
}

/** Stops two workers until their jobs have a second attempt. Returns how many jobs have one. */
async function sleepThroughLeases(
  world: World,
  jobKind: string,
  resumeWhen: 'running' | 'ended',
): Promise<number> {
  const leases = await findLeases(world, jobKind);
  const pids = [...new Set(leases.map(({ pid }) => pid))].slice(0, 2);
  const sleepers = pids.flatMap((pid) => world.fleet.of('work').find((member) => member.pid() === pid) ?? []);
  for (const sleeper of sleepers) sleeper.kill('SIGSTOP');
  const theirs = leases.filter(({ pid }) => pids.includes(pid)).map(({ analysisId }) => analysisId);
  // Some jobs may have ended just before their worker was stopped.
  const asleep = (await findLeases(world, jobKind)).filter(({ analysisId }) => theirs.includes(analysisId));
  const ids = asleep.map(({ analysisId }) => analysisId);
  const replaced = `analyses where id = any ($1) and attempt > 1 and (not $2 or status in ('completed', 'failed'))`;
  const countReplaced = () => world.postgres.count(replaced, ids, resumeWhen === 'ended');
  try {
    await until(async () => (await countReplaced()) === ids.length, REPLACED_MS_MAX);
    return await countReplaced();
  } finally {
    for (const sleeper of sleepers) sleeper.kill('SIGCONT');
  }
}

async function findLeases(world: World, jobKind: string): Promise<{ pid: number; analysisId: string }[]> {
  const { rows } = await world.postgres.pool.query<{ leased_by: string; id: string }>(
    `select leased_by, a.id from jobs j join analyses a on a.id = j.payload->>'analysisId'
     where j.kind = $1 and j.state = 'running' and j.attempt + j.deaths = 1`,
    [jobKind],
  );
  return rows.map(({ leased_by, id }) => ({ pid: Number(leased_by.split(':')[1]), analysisId: id }));
}

/** Ways in which a file might crash the worker, with the exit status or signal; null when it only throws. */
const POISONS = { kill: 'SIGKILL', abort: 'SIGABRT', exit: 7, throw: null } as const;
export const POISONED = patchServer(
  'analyses/attempt/run.ts',
  '  const startedMs = performance.now();\n  progress.report',
  `  const poison = /poison-([a-z]+)/.exec(analysis.sourceUrl ?? '')?.[1];
  if (poison === 'kill') process.kill(process.pid, 'SIGKILL');
  if (poison === 'abort') process.abort();
  if (poison === 'exit') process.exit(${POISONS.exit});
  if (poison === 'throw') throw new TypeError('planted');
  const startedMs = performance.now();
  progress.report`,
);
/** Two deaths while other jobs run and three alone (server/src/jobs/store.ts); a job that only throws has three attempts. */
const ATTEMPTS_MAX = 5;

/** A job that kills its worker fails after five workers, and other jobs still complete. */
export function runPoison(seed: string, timesEach: number): Promise<Outcome> {
  const options = { name: 'poison jobs', seed, tenantCount: 2, patches: [...SHORT_LEASES, POISONED] };
  return runScenario(options, async ({ world, driver, problems }) => {
    world.origin.calm();
    for (let time = 0; time < timesEach; time += 1) {
      for (const poison of Object.keys(POISONS)) {
        await Promise.all([
          driver.perform('url', undefined, { originUrl: `${world.origin.url}/poison-${poison}` }),
          ...(['object', 'session', 'object'] as const).map((kind) => driver.perform(kind)),
        ]);
        if (!(await waitForJobs(world, JOBS_MS_MAX)))
          problems.push(`a minute after "${poison}" jobs are unfinished`);
      }
    }
    const { rows } = await world.postgres.pool.query<{
      poisoned: boolean;
      status: string;
      attempt: number;
      error_code: string;
    }>(
      `select coalesce(source_url like '%/poison-%', false) as poisoned, status, attempt, error_code from analyses`,
    );
    for (const { poisoned, status, attempt, error_code } of rows) {
      const isExpected = poisoned
        ? status === 'failed' && error_code === 'internal' && attempt <= ATTEMPTS_MAX
        : status === 'completed';
      if (!isExpected)
        problems.push(
          `${poisoned ? 'a poison job' : 'another job'} is ${status} (${error_code}) after ${attempt} attempts`,
        );
    }
    const deadly = Object.values(POISONS).filter((end) => end !== null);
    const deaths = world.fleet.of('work').flatMap(({ exits }) => exits);
    for (const exit of deaths)
      if (!deadly.some((end) => end === exit)) problems.push(`a worker exited with ${exit}`);
    if (deaths.length > deadly.length * timesEach * ATTEMPTS_MAX)
      problems.push(`${deaths.length} workers died`);
    return {
      'poison jobs': rows.filter(({ poisoned }) => poisoned).length,
      'jobs beside them': rows.filter(({ poisoned }) => !poisoned).length,
      'workers lost': deaths.length,
    };
  });
}

/** With every core busy for at least two leases, the worker of a running job keeps its lease. */
export function runStarvedHeartbeat(seed: string): Promise<Outcome> {
  return runScenario(
    { name: 'heartbeat under full CPU', seed, tenantCount: 2 },
    async ({ world, driver, problems }) => {
      const hogs = Array.from({ length: cpus().length * 2 }, () =>
        spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
      );
      try {
        const startedMs = performance.now();
        await Promise.all([driver.perform('long'), driver.perform('long')]);
        await waitForWorker(world);
        await waitForJobs(world, STARVED_JOBS_MS_MAX);
        const busyMs = performance.now() - startedMs;
        if (busyMs < 2 * QUICK_LEASE_MS) problems.push('the jobs took less than two leases');
        const { rows } = await world.postgres.pool.query<{ attempt: number }>('select attempt from analyses');
        if (rows.some(({ attempt }) => attempt > 1)) problems.push('a running worker lost its job');
        return { hogs: hogs.length, 'seconds busy': Math.round(busyMs / 1000) };
      } finally {
        for (const hog of hogs) hog.kill('SIGKILL');
      }
    },
  );
}

/**
 * SIGTERM to every process in turn, under load: no job with audio fails, none is lost, and every process exits with 0. One API process and
 * one worker are restarted at a time, so that one of each is always running.
 */
export function runRollingRestarts(seed: string, restarts: number): Promise<Outcome> {
  return runScenario({ name: 'rolling restarts', seed }, async ({ world, driver, problems }) => {
    // The origin never fails, so that every second attempt is due to a restart.
    world.origin.calm();
    let hasEnded = false;
    const load = driver.performOpenLoop({
      operationsPerSecond: 4,
      stop: () => hasEnded,
      unfinishedMax: 10,
    });
    const [serve, work] = [world.fleet.of('serve'), world.fleet.of('work')];
    let slowestMs = 0;
    for (let turn = 0; 2 * turn < restarts; turn += 1) {
      const pair = [serve[turn % serve.length], work[turn % work.length]].filter(
        (member) => member !== undefined,
      );
      await Promise.all(
        pair.map(async (member) => {
          slowestMs = Math.max(slowestMs, await restartGently(member, problems));
        }),
      );
    }
    hasEnded = true;
    await load;
    await waitForJobs(world, JOBS_MS_MAX);
    const failed = `analyses where status = 'failed' and coalesce(source_url, '') not like '%as=not-audio'`;
    const failedCount = await world.postgres.count(failed);
    if (failedCount > 0) problems.push(`${failedCount} jobs with audio failed`);
    const exits = world.fleet.members.flatMap((member) => member.exits);
    const bad = exits.filter((exit) => exit !== 0);
    if (bad.length > 0) problems.push(`${bad.length} of ${exits.length} exits were not 0: ${bad.join(', ')}`);
    return {
      restarts: exits.length,
      'slowest to leave, seconds': secondsOf(slowestMs),
      'jobs with a second counted attempt': await world.postgres.count('analyses where attempt > 1'),
    };
  });
}

/** Returns how long the process took to exit, in milliseconds. */
async function restartGently(member: Member, problems: string[]): Promise<number> {
  const exitCountBefore = member.exits.length;
  const startedMs = performance.now();
  member.kill('SIGTERM');
  if (!(await until(() => member.exits.length > exitCountBefore, EXIT_MS_MAX)))
    problems.push(`${member.name} did not exit within ${EXIT_MS_MAX / 1000} s`);
  const exitMs = performance.now() - startedMs;
  if (!(await until(() => member.ready(), START_MS_MAX))) problems.push(`${member.name} did not restart`);
  return exitMs;
}
