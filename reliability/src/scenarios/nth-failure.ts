import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OperationKind } from '../driver.ts';
import { countUnfinished } from '../quiet.ts';
import { type Outcome, runScenario, runThroughProxy, type Stage } from '../scenario.ts';
import type { CutMode } from '../stand-ins/database-proxy.ts';
import { until } from '../until.ts';
import { SHORT_LEASES } from '../variants/clocks.ts';
import {
  PLANTED_BANNER,
  PLANTED_ERRORS,
  type Planted,
  plantError,
  uproot,
} from '../variants/planted-errors.ts';
import type { World } from '../world.ts';

/** One process of each kind, so that what fails is on the road, and one customer, who pays: a road a statement is more than comes for free. */
const SMALL_WORLD = { serveCount: 1, workCount: 1, tenantCount: 1, patches: SHORT_LEASES };
/** By this many uses a submission has come to its webhook, whatever else the processes do meanwhile. */
const NTH_MAX = 400;
const ROAD_MS_MAX = 60_000;

const FAILED: Record<Planted, string> = {
  file: 'file operations failed',
  request: 'requests failed',
  answer: 'answers lost',
};

/** Makes the n-th use of something fail; the answer tells, after the road, whether it came to that. */
type Arm = (nth: number) => Promise<() => Promise<boolean>>;

/** A3: the n-th statement of the road from submission to webhook fails, for n = 1, 2, 3 … until a road needs no failure. */
export function runNthStatement(seed: string, mode: CutMode): Promise<Outcome> {
  const scenario = { name: `n-th statement fails (${mode})`, seed, ...SMALL_WORLD };
  return runThroughProxy(scenario, async (stage, proxy) => {
    const arm: Arm = async (nth) => {
      const cut = proxy.cutStatement(nth, mode);
      return async () => {
        proxy.disarm();
        return cut.done();
      };
    };
    const { failures, last } = await walkRoads(stage, 'object', arm);
    return { 'statements cut': failures, 'last n': last };
  });
}

/** A3 for everything else that can fail on the road: files, and requests to somebody outside. */
export async function runNthOperation(seed: string): Promise<Outcome> {
  const root = await mkdtemp(join(tmpdir(), 'earshot-planted-'));
  const scenario = {
    name: 'n-th file operation, request or answer fails',
    seed,
    ...SMALL_WORLD,
    patches: [...SHORT_LEASES, ...PLANTED_ERRORS],
    banner: PLANTED_BANNER,
    env: { PLANTED_FOLDER: root },
  };
  const roads: [Planted, OperationKind][] = [
    ['file', 'upload'],
    ['file', 'object'],
    ['file', 'url'],
    ['request', 'url'],
    ['answer', 'url'],
  ];
  try {
    return await runScenario(scenario, async (stage) => {
      const figures: Record<string, number> = {};
      for (const [planted, kind] of roads) {
        const arm: Arm = async (nth) => {
          await plantError(root, planted, nth);
          return () => uproot(root, planted);
        };
        const { failures } = await walkRoads(stage, kind, arm);
        figures[FAILED[planted]] = (figures[FAILED[planted]] ?? 0) + failures;
        if (failures === 0) stage.problems.push(`no ${planted} is on the road of ${kind}`);
      }
      return figures;
    });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function walkRoads(
  { world, driver, problems }: Stage,
  kind: OperationKind,
  arm: Arm,
): Promise<{ failures: number; last: number }> {
  // Whatever fails, fails by our hand.
  world.origin.calm();
  for (let nth = 1; nth < NTH_MAX; nth += 1) {
    const hasFailed = await arm(nth);
    const phase = await driver.perform(kind);
    // Without a key it may stay unknown; whether it made one job or none is for the checker.
    if (phase === 'failed') problems.push(`the submission with failure ${nth} ended ${phase}`);
    // The road is over when nothing is left to do; what the failure has delayed may take a lease and a retry.
    const over = await until(async () => (await countOpen(world)) === 0, ROAD_MS_MAX, 30);
    if (!over) problems.push(`with failure ${nth} the road did not end in a minute`);
    if (!(await hasFailed())) return { failures: nth - 1, last: nth };
  }
  problems.push(`the road of ${kind} has no end: ${NTH_MAX} uses and more`);
  return { failures: NTH_MAX - 1, last: NTH_MAX };
}

async function countOpen(world: World): Promise<number> {
  const untold = `webhook_deliveries where status in ('pending', 'delivering')`;
  return (await countUnfinished(world)) + (await world.postgres.count(untold));
}
