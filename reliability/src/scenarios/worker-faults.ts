import { spawn } from 'node:child_process';
import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { countUnfinished } from '../quiet.ts';
import { type Outcome, runScenario } from '../scenario.ts';
import { until } from '../until.ts';
import { QUICK_CLOCKS } from '../variants/clocks.ts';
import { PROVOCATIONS, waitForWorker } from './provocations.ts';

/** A7: workers that sleep through their lease, again and again. */
export function runZombies(seed: string, times: number): Promise<Outcome> {
  return runScenario({ name: 'zombies', seed, tenants: 2 }, async (stage) => {
    for (let round = 0; round < times; round += 1) {
      await PROVOCATIONS.zombie(stage);
      await until(async () => (await countUnfinished(stage.world)) === 0, 90_000);
    }
    return { zombies: times };
  });
}

/** Takes its worker down each time, as a file would that crashes what should contain it. */
const POISON = {
  file: 'server/src/analyses/run.ts',
  find: '  const startedMs = performance.now();\n  progress.report',
  replace:
    "  if (analysis.sourceUrl?.includes('as=long')) process.kill(process.pid, 'SIGKILL');\n  const startedMs = performance.now();\n  progress.report",
};
const ATTEMPTS_MAX = 3;

/** A9: a poison job is given up after three workers, and the others are done all the same. */
export function runPoison(seed: string, poisons: number): Promise<Outcome> {
  const options = { name: 'poison jobs', seed, tenants: 2, patches: [...QUICK_CLOCKS, POISON] };
  return runScenario(options, async ({ world, driver, problems }) => {
    for (let index = 0; index < poisons; index += 1) {
      await driver.perform('long');
      await Promise.all([driver.perform('object'), driver.perform('session'), driver.perform('object')]);
    }
    const ended = await until(async () => (await countUnfinished(world)) === 0, 120_000);
    if (!ended) problems.push('jobs are left two minutes later');
    const { rows } = await world.postgres.pool.query<{ status: string; attempt: number; error_code: string }>(
      `select status, attempt, error_code from analyses where source_url like '%as=long'`,
    );
    for (const { status, attempt, error_code } of rows) {
      if (status !== 'failed' || error_code !== 'internal' || attempt > ATTEMPTS_MAX)
        problems.push(`a poison job is ${status} (${error_code}) after ${attempt} attempts`);
    }
    const deaths = world.fleet.of('work').flatMap(({ exits }) => exits.filter((exit) => exit === 'SIGKILL'));
    if (deaths.length > poisons * ATTEMPTS_MAX)
      problems.push(`${deaths.length} workers died of ${poisons} poison jobs`);
    return { 'poison jobs': rows.length, 'workers lost': deaths.length };
  });
}

/** A8: with every core busy for several leases, a job that runs is not taken for dead. */
export function runStarvedHeartbeat(seed: string): Promise<Outcome> {
  return runScenario(
    { name: 'heartbeat under full CPU', seed, tenants: 2 },
    async ({ world, driver, problems }) => {
      const hogs = Array.from({ length: cpus().length * 2 }, () =>
        spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
      );
      try {
        const startedMs = performance.now();
        await Promise.all([driver.perform('long'), driver.perform('long')]);
        await waitForWorker(world);
        await until(async () => (await countUnfinished(world)) === 0, 240_000);
        const { rows } = await world.postgres.pool.query<{ attempt: number }>('select attempt from analyses');
        if (rows.some(({ attempt }) => attempt > 1))
          problems.push('a job was taken from a worker that was alive');
        return { hogs: hogs.length, 'seconds busy': Math.round((performance.now() - startedMs) / 1000) };
      } finally {
        for (const hog of hogs) hog.kill('SIGKILL');
      }
    },
  );
}

/** A10: SIGTERM to every process in turn, under load: nothing fails, nothing is lost, everybody leaves with 0. */
export function runRollingRestarts(seed: string, rounds: number): Promise<Outcome> {
  return runScenario({ name: 'rolling restarts', seed }, async ({ world, driver, problems }) => {
    let over = false;
    const load = driver.performOpenLoop({
      perSecond: 4,
      stop: () => over,
      unfinishedMax: async () => (await countUnfinished(world)) >= 10,
    });
    for (let round = 0; round < rounds; round += 1) {
      for (const member of world.fleet.members) {
        const exitsBefore = member.exits.length;
        member.kill('SIGTERM');
        if (!(await until(() => member.exits.length > exitsBefore, 30_000)))
          problems.push(`${member.name} did not leave within 30 s`);
        if (!(await until(() => member.ready(), 60_000))) problems.push(`${member.name} did not come back`);
        await delay(300);
      }
    }
    over = true;
    await load;
    const exits = world.fleet.members.flatMap((member) => member.exits);
    const bad = exits.filter((exit) => exit !== 0);
    if (bad.length > 0) problems.push(`${bad.length} of ${exits.length} exits were not 0: ${bad.join(', ')}`);
    const { rows } = await world.postgres.pool.query<{ count: number }>(
      `select count(*)::int as count from analyses where attempt > 1`,
    );
    return { restarts: exits.length, 'jobs with a second counted attempt': rows[0]?.count ?? 0 };
  });
}
