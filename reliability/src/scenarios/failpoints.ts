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

/** What makes a service pass every point: all kinds of submissions, failures, cancels. */
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
/** A workspace sends a hundred invitations a day. */
const JOINS_MAX = 90;
/** Points of requests and points of jobs are armed side by side: they take down different processes. */
const OF_REQUESTS = /^(upload|submit|payment|ownership|invitation|any transaction)/;

/** A2: dies at every named point, `times` each, while customers go on. */
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
      stage.world.webhooks.misbehave({ take: 5, refuse: 1, 'take-and-reset': 1 });
      const lives = live(stage, () => over);
      const names = Object.keys(FAILPOINTS);
      const lanes = [
        names.filter((name) => OF_REQUESTS.test(name)),
        names.filter((name) => !OF_REQUESTS.test(name)),
      ];
      const deaths = await Promise.all(
        lanes.map((lane) => dieAlong(lane, root, times, stage.problems)),
      ).finally(() => {
        over = true;
        return lives;
      });
      return { points: names.length, deaths: deaths.reduce((sum, count) => sum + count, 0) };
    });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Customers who analyse, and people who join, hand over and pay. */
async function live({ world, driver }: Stage, isOver: () => boolean): Promise<void> {
  const load = driver.performOpenLoop({
    operationsPerSecond: 5,
    mixture: MIXTURE,
    stop: isOver,
    unfinishedMax: 10,
  });
  await Promise.all([load, keepHouse(world, isOver)]);
}

async function keepHouse(world: World, isOver: () => boolean): Promise<void> {
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

async function dieAlong(
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
    if (left > 0) problems.push(`"${name}" was died at ${times - left} times instead of ${times}`);
  }
  return deaths;
}
