import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../random.ts';
import { type Outcome, runScenario } from '../scenario.ts';
import { until } from '../until.ts';
import type { World } from '../world.ts';

/** Between faults, such that the service has sometimes recovered from the previous one and sometimes not. */
const PAUSE_MS_MIN = 200;
const PAUSE_MS_MAX = 800;
/** Each is longer than the database and the service take, even on a busy machine. */
const DOWN_MS_MAX = 5_000;
const BACK_MS_MAX = 60_000;
const READY_MS_MAX = 30_000;
const READY_ANSWER_MS_MAX = 5_000;

type Fault = 'immediate restart' | 'kill -9' | 'all connections ended';

/** Under load the database restarts, is killed, and ends all connections; nothing is lost and no process of the service exits. */
export function runDatabaseFaults(seed: string, faults: Record<Fault, number>): Promise<Outcome> {
  return runScenario({ name: 'database restarts and losses', seed }, async ({ world, driver, problems }) => {
    let hasEnded = false;
    const load = driver.performOpenLoop({
      operationsPerSecond: 3,
      stop: () => hasEnded,
      unfinishedMax: 8,
    });
    const restarted = world.fleet.watchRestarts();
    const readyMs: number[] = [];
    const moments = world.random.fork('moments');
    for (const fault of shuffle(faults, world.random.fork('database'))) {
      await delay(PAUSE_MS_MIN + (PAUSE_MS_MAX - PAUSE_MS_MIN) * moments.next());
      await breakDatabase(world, fault);
      if (!(await until(() => world.postgres.answers(), BACK_MS_MAX)))
        problems.push(`the database is not back ${BACK_MS_MAX / 1000} s after ${fault}`);
      const upMs = performance.now();
      if (!(await until(() => world.fleet.reportsReady(READY_ANSWER_MS_MAX), READY_MS_MAX)))
        problems.push(`not ready ${READY_MS_MAX / 1000} s after ${fault}`);
      readyMs.push(Math.round(performance.now() - upMs));
    }
    hasEnded = true;
    await load;
    for (const { name } of restarted()) problems.push(`${name} exited although only the database failed`);
    return { ...faults, 'ms until ready again, at most': Math.max(...readyMs) };
  });
}

/** Ends every connection of the service; those of the harness have other names. */
export const END_ALL = `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'earshot%'`;

async function breakDatabase(world: World, fault: Fault): Promise<void> {
  if (fault === 'all connections ended') {
    await world.postgres.pool.query(END_ALL).catch(() => {});
    return;
  }
  const pid = await world.postgres.pid();
  process.kill(pid, fault === 'kill -9' ? 'SIGKILL' : 'SIGQUIT');
  await until(async () => !(await world.postgres.answers()), DOWN_MS_MAX, 20);
}

function shuffle(counts: Record<Fault, number>, random: Random): Fault[] {
  const all = (Object.entries(counts) as [Fault, number][]).flatMap(([fault, count]) =>
    Array<Fault>(count).fill(fault),
  );
  return all
    .map((fault) => ({ fault, order: random.next() }))
    .sort((left, right) => left.order - right.order)
    .map(({ fault }) => fault);
}
