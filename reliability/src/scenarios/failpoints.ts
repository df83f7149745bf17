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
  FAILPOINTS,
  failpointPatches,
} from '../variants/failpoints.ts';
import type { World } from '../world.ts';

/** Kinds of operations that pass every point between them: submissions, failures and cancels. */
const MIXTURE: Partial<Record<OperationKind, number>> = {
  upload: 3,
  url: 2,
  object: 2,
  session: 3,
  broken: 3,
  cancel: 2,
};
const POINT_MS_MAX = 150_000;
const ROUND_MS = 200;
/** Below the hundred invitations that a workspace may send in a day. */
const JOINS_MAX = 90;
/** Points that API processes pass. They are armed beside those of workers, because each kind kills other processes. */
const OF_REQUESTS = /^(upload|submit|payment|ownership|invitation|any transaction)/;

/** A2: processes die at every failpoint, `times` at each, while customers go on. */
export async function runFailpoints(seed: string, times: number): Promise<Outcome> {
  const root = await mkdtemp(join(tmpdir(), 'earshot-failpoint-'));
  const options = {
    name: 'failpoints',
    seed,
    patches: [...QUICK_CLOCKS, ...failpointPatches()],
    banner: FAILPOINT_BANNER,
    env: { FAILPOINT_FOLDER: root, ...PEOPLE_ENV },
  };
  try {
    return await runScenario(options, async (stage) => {
      let over = false;
      stage.world.webhooks.misbehave({ accept: 5, refuse: 1, 'accept-and-reset': 1 });
      const customers = runCustomers(stage, () => over);
      const names = Object.keys(FAILPOINTS);
      const lanes = [
        names.filter((name) => OF_REQUESTS.test(name)),
        names.filter((name) => !OF_REQUESTS.test(name)),
      ];
      const deaths = await Promise.all(
        lanes.map((lane) => dieAtEach(lane, root, times, stage.problems)),
      ).finally(() => {
        over = true;
        return customers;
      });
      return { points: names.length, deaths: deaths.reduce((sum, count) => sum + count, 0) };
    });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Customers who submit analyses, and people who join, hand over ownership and pay. */
async function runCustomers({ world, driver }: Stage, isOver: () => boolean): Promise<void> {
  const load = driver.performOpenLoop({
    operationsPerSecond: 5,
    mixture: MIXTURE,
    stop: isOver,
    unfinishedMax: 10,
  });
  await Promise.all([load, runPeople(world, isOver)]);
}

async function runPeople(world: World, isOver: () => boolean): Promise<void> {
  const people = createPeople(world);
  for (let round = 0; !isOver(); round += 1) {
    for (const tenant of world.tenants) {
      await people.handOver(tenant);
      await people.pay(tenant);
      if (round < JOINS_MAX) await people.join(tenant);
      if (isOver()) return;
    }
    await delay(ROUND_MS);
  }
}

/** Arms one point after the other; returns how many deaths there were. */
async function dieAtEach(
  names: readonly string[],
  root: string,
  times: number,
  problems: string[],
): Promise<number> {
  let deaths = 0;
  for (const name of names) {
    await armFailpoint(root, name, times);
    await until(async () => (await countTokens(root, name)) === 0, POINT_MS_MAX);
    const left = await countTokens(root, name);
    await disarmFailpoint(root, name);
    deaths += times - left;
    if (left > 0) problems.push(`${times - left} of ${times} processes died at "${name}"`);
  }
  return deaths;
}
