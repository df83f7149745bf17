import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findDecoders, findEnginesOf } from '../child-processes.ts';
import type { Random } from '../random.ts';
import type { Outcome, ScenarioOptions, Stage } from '../scenario.ts';
import { runScenario } from '../scenario.ts';
import { until } from '../until.ts';
import type { World } from '../world.ts';

/** Weights from A1 of the catalogue: half of the kills hit workers, a third the API, the rest both, a decoder or an engine. */
const VICTIMS = { work: 100, serve: 60, both: 20, decoder: 20, engine: 20 };
type Victim = keyof typeof VICTIMS;
const UP_MS_MAX = 60_000;

export type KillOptions = {
  kills: number;
  killsPerSecond: number;
  operationsPerSecond: number;
  unfinishedMax: number;
  /** When receivers of webhooks misbehave. */
  refusals?: 'always' | 'at first';
};

/** kill -9 at random moments while customers go on. */
export function runKills(options: ScenarioOptions & KillOptions): Promise<Outcome> {
  return runScenario(options, async (stage) => {
    const killed = await killUnderLoad(stage, options);
    return { kills: options.kills, ...killed };
  });
}

async function killUnderLoad(
  { world, driver }: Stage,
  options: KillOptions,
): Promise<Record<string, number>> {
  const random = world.random.fork('kills');
  const killed: Record<string, number> = {};
  let over = false;
  world.webhooks.misbehave(undefined, options.refusals);
  world.stripe.misbehave();
  const load = driver.performOpenLoop({
    operationsPerSecond: options.operationsPerSecond,
    stop: () => over,
    unfinishedMax: options.unfinishedMax,
  });
  for (let kill = 0; kill < options.kills; kill += 1) {
    await delay((1000 / options.killsPerSecond) * 2 * random.next());
    const victim = random.weighted(VICTIMS);
    const name = await killOne(world, victim, random);
    killed[`killed ${name}`] = (killed[`killed ${name}`] ?? 0) + 1;
  }
  over = true;
  await load;
  return killed;
}

/** Kills only what is up, so that every kill counts. Where there is no decoder or engine, kills a worker. Returns what was killed. */
async function killOne(world: World, victim: Victim, random: Random): Promise<Victim> {
  if (victim === 'decoder' || victim === 'engine') {
    const pids = victim === 'decoder' ? findDecoders(join(world.folder, 'tmp')) : findEnginesOf(world);
    if (pids.length > 0 && killIfThere(random.pick(pids))) return victim;
    return killOne(world, 'work', random);
  }
  const roles = victim === 'both' ? (['serve', 'work'] as const) : [victim];
  for (const role of roles) {
    const member = random.pick(world.fleet.of(role));
    await until(() => member.ready(), UP_MS_MAX, 20);
    member.kill('SIGKILL');
  }
  return victim;
}

function killIfThere(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It has ended by itself since it was listed.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    return false;
  }
}
