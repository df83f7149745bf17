import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { OperationKind } from '../driver.ts';
import { createPeople, PEOPLE_ENV } from '../people.ts';
import { type Outcome, runScenario, type Stage } from '../scenario.ts';
import { until } from '../until.ts';
import { QUICK_CLOCKS } from '../variants/clocks.ts';
import {
  armFailpoint,
  countTokens,
  disarmFailpoint,
  FAILPOINT_BANNER,
  FAILPOINT_NAMES,
  FAILPOINT_PATCHES,
} from '../variants/failpoints.ts';
import type { World } from '../world.ts';

/** Together these operations reach every failpoint of analyses: submissions, failures and cancels. */
const MIXTURE: Partial<Record<OperationKind, number>> = {
  upload: 3,
  url: 2,
  object: 2,
  session: 3,
  broken: 3,
  cancel: 2,
};
/** Ten deaths at the rarest failpoint usually take less; on a busy machine one was once missing (docs/reliability.md). */
const FAILPOINT_MS_MAX = 150_000;
const ROUND_PAUSE_MS = 200;
/** Below the hundred invitations that a workspace may send in a day. */
const JOINS_MAX = 90;
/** Failpoints of API processes. They are armed at the same time as those of workers, since they kill other processes. */
const API_FAILPOINTS = /^(upload|submit|payment|ownership|invitation|any transaction)/;

/** Processes die at every failpoint, `times` at each, while customers go on. */
export async function runFailpoints(seed: string, times: number): Promise<Outcome> {
  const root = await mkdtemp(join(tmpdir(), 'earshot-failpoint-'));
  const options = {
    name: 'failpoints',
    seed,
    patches: [...QUICK_CLOCKS, ...FAILPOINT_PATCHES],
    banner: FAILPOINT_BANNER,
    env: { FAILPOINT_FOLDER: root, ...PEOPLE_ENV },
  };
  try {
    return await runScenario(options, async (stage) => {
      let hasEnded = false;
      stage.world.webhooks.misbehave({ accept: 5, refuse: 1, 'accept-and-reset': 1 });
      const customers = runCustomers(stage, () => hasEnded);
      const lanes = [true, false].map((isApi) =>
        FAILPOINT_NAMES.filter((name) => API_FAILPOINTS.test(name) === isApi),
      );
      const deaths = await Promise.all(
        lanes.map((names) => dieAtEach(names, root, times, stage.problems)),
      ).finally(() => {
        hasEnded = true;
        return customers;
      });
      return { points: FAILPOINT_NAMES.length, deaths: deaths.reduce((sum, count) => sum + count, 0) };
    });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Customers who submit analyses, and people who join, transfer ownership and pay. */
async function runCustomers({ world, driver }: Stage, hasEnded: () => boolean): Promise<void> {
  const load = driver.performOpenLoop({
    operationsPerSecond: 5,
    mixture: MIXTURE,
    stop: hasEnded,
    unfinishedMax: 10,
  });
  await Promise.all([load, runPeople(world, hasEnded)]);
}

async function runPeople(world: World, hasEnded: () => boolean): Promise<void> {
  const people = createPeople(world);
  for (let round = 0; !hasEnded(); round += 1) {
    for (const tenant of world.tenants) {
      await people.transferOwnership(tenant);
      await people.pay(tenant);
      if (round < JOINS_MAX) await people.join(tenant);
      if (hasEnded()) return;
    }
    await delay(ROUND_PAUSE_MS);
  }
}

/** Arms one failpoint after the other; returns the number of deaths. */
async function dieAtEach(
  names: readonly string[],
  root: string,
  times: number,
  problems: string[],
): Promise<number> {
  let deaths = 0;
  for (const name of names) {
    await armFailpoint(root, name, times);
    await until(async () => (await countTokens(root, name)) === 0, FAILPOINT_MS_MAX);
    const left = await countTokens(root, name);
    await disarmFailpoint(root, name);
    deaths += times - left;
    if (left > 0) problems.push(`${times - left} of ${times} processes died at "${name}"`);
  }
  return deaths;
}
