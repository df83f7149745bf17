import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OperationKind } from '../driver.ts';
import { countUnfinished } from '../idle.ts';
import { type Outcome, runScenario, runThroughProxy, type Stage } from '../scenario.ts';
import type { CutMode } from '../stand-ins/database-proxy.ts';
import { until } from '../until.ts';
import { SHORT_LEASES } from '../variants/clocks.ts';
import {
  armError,
  disarmError,
  PLANTED_BANNER,
  PLANTED_ERRORS,
  type Planted,
} from '../variants/planted-errors.ts';
import type { World } from '../world.ts';

/** One process of each kind and one customer, so that the failure hits the submission; a paying one, whose jobs take more statements. */
const SMALL_WORLD = { serveCount: 1, workCount: 1, tenantCount: 1, patches: SHORT_LEASES };
/** Chosen: a submission and its webhook take fewer statements, requests or file operations than this. */
const NTH_MAX = 400;
const JOURNEY_MS_MAX = 60_000;

const FAILED: Record<Planted, string> = {
  file: 'file operations failed',
  request: 'requests failed',
  answer: 'answers lost',
};

/** Makes the n-th use of something fail; the function returned tells afterwards whether it came to that. */
type Arm = (nth: number) => Promise<() => Promise<boolean>>;

/** A3: the n-th statement between a submission and its webhook fails, for n = 1, 2, 3 … until there are fewer statements than n. */
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
    const { failures, last } = await failEach(stage, 'object', arm);
    return { 'statements cut': failures, 'last n': last };
  });
}

/** A3 for file operations, and for requests to other servers. */
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
  const journeys: [Planted, OperationKind][] = [
    ['file', 'upload'],
    ['file', 'object'],
    ['file', 'url'],
    ['request', 'url'],
    ['answer', 'url'],
  ];
  try {
    return await runScenario(scenario, async (stage) => {
      const figures: Record<string, number> = {};
      for (const [planted, kind] of journeys) {
        const arm: Arm = async (nth) => {
          await armError(root, planted, nth);
          return () => disarmError(root, planted);
        };
        const { failures } = await failEach(stage, kind, arm);
        figures[FAILED[planted]] = (figures[FAILED[planted]] ?? 0) + failures;
        if (failures === 0) stage.problems.push(`no ${planted} failed for ${kind}: there is none`);
      }
      return figures;
    });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Submits with the first use failing, then with the second, and so on until no use is left to fail. */
async function failEach(
  { world, driver, problems }: Stage,
  kind: OperationKind,
  arm: Arm,
): Promise<{ failures: number; last: number }> {
  // Nothing else may fail.
  world.origin.calm();
  for (let nth = 1; nth < NTH_MAX; nth += 1) {
    const hasFailed = await arm(nth);
    const phase = await driver.perform(kind);
    // Without a key the outcome may stay unknown; the checker finds out whether there is one job or none.
    if (phase === 'failed') problems.push(`the submission with failure ${nth} ended ${phase}`);
    // What the failure has delayed may take a lease and a retry.
    const over = await until(async () => (await countOpen(world)) === 0, JOURNEY_MS_MAX, 30);
    if (!over) problems.push(`a minute after failure ${nth} jobs or webhooks were left`);
    if (!(await hasFailed())) return { failures: nth - 1, last: nth };
  }
  problems.push(`${kind} still failed at use ${NTH_MAX - 1}`);
  return { failures: NTH_MAX - 1, last: NTH_MAX };
}

async function countOpen(world: World): Promise<number> {
  const undelivered = `webhook_deliveries where status in ('pending', 'delivering')`;
  return (await countUnfinished(world)) + (await world.postgres.count(undelivered));
}
