import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findDecoders, findEnginesOf } from '../child-processes.ts';
import type { Random } from '../random.ts';
import { type Outcome, runScenario, type ScenarioOptions } from '../scenario.ts';
import { until } from '../until.ts';
import type { World } from '../world.ts';

/** How often each is drawn relative to the others: mostly workers, which run the jobs. */
const VICTIMS = { work: 100, serve: 60, both: 20, decoder: 20, engine: 20 };
type Victim = keyof typeof VICTIMS;
/** A victim that takes longer to start is killed all the same. */
const START_MS_MAX = 60_000;
const READY_POLL_MS = 20;

export type KillOptions = {
  kills: number;
  killsPerSecond: number;
  operationsPerSecond: number;
  unfinishedMax: number;
  /** When receivers of webhooks misbehave. */
  refusals?: 'always' | 'at first';
};

/** kill -9 at random moments while customers continue. */
export function runKills(options: ScenarioOptions & KillOptions): Promise<Outcome> {
  return runScenario(options, async ({ world, driver }) => {
    const random = world.random.fork('kills');
    const killed: Record<string, number> = {};
    let hasEnded = false;
    world.webhooks.misbehave(undefined, options.refusals);
    world.stripe.misbehave();
    const load = driver.performOpenLoop({
      operationsPerSecond: options.operationsPerSecond,
      stop: () => hasEnded,
      unfinishedMax: options.unfinishedMax,
    });
    for (let kill = 0; kill < options.kills; kill += 1) {
      await delay((1000 / options.killsPerSecond) * 2 * random.next());
      const figure = `killed ${await killOne(world, random.weighted(VICTIMS), random)}`;
      killed[figure] = (killed[figure] ?? 0) + 1;
    }
    hasEnded = true;
    await load;
    return { kills: options.kills, ...killed };
  });
}

/** A worker dies if there is no decoder or engine, and both at the same moment. Returns what was killed. */
async function killOne(world: World, victim: Victim, random: Random): Promise<Victim> {
  if (victim === 'decoder' || victim === 'engine') {
    const pids = victim === 'decoder' ? findDecoders(join(world.folder, 'tmp')) : findEnginesOf(world);
    if (pids.length > 0 && killIfRunning(random.pick(pids))) return victim;
    return killOne(world, 'work', random);
  }
  const roles = victim === 'both' ? (['serve', 'work'] as const) : [victim];
  const members = roles.map((role) => random.pick(world.fleet.of(role)));
  await Promise.all(members.map((member) => until(() => member.ready(), START_MS_MAX, READY_POLL_MS)));
  for (const member of members) member.kill('SIGKILL');
  return victim;
}

function killIfRunning(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It has exited since it was listed.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    return false;
  }
}
