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
  type FailingOperation,
  PLANTED_BANNER,
  PLANTED_ERRORS,
} from '../variants/planted-errors.ts';
import type { World } from '../world.ts';

/** One process of each kind and one customer, so that the failure hits the submission. The first tenant of a world is a paying one. */
const SMALL_WORLD = { serveCount: 1, workCount: 1, tenantCount: 1, patches: SHORT_LEASES };
/** A submission and its webhook take about 240 statements, and far fewer requests and file operations. */
const NTH_MAX = 400;
/** Enough for an expired lease and a retry with the shortened clocks. */
const SUBMISSION_MS_MAX = 60_000;

const FIGURE_NAMES: Record<FailingOperation, string> = {
  file: 'file operations failed',
  request: 'requests failed',
  answer: 'answers lost',
};

/** Makes the n-th use of something fail; returns a function that disarms it and reports whether it has failed. */
type Arm = (nth: number) => Promise<() => Promise<boolean>>;

/** The n-th statement between a submission and its webhook fails, for n = 1, 2, 3 … until there are fewer than n statements. */
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
    return { 'statements cut': await failEach(stage, 'object', arm) };
  });
}

/** The same for file operations, for requests to other servers and for their answers. */
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
  const submissions: [FailingOperation, OperationKind][] = [
    ['file', 'upload'],
    ['file', 'object'],
    ['file', 'url'],
    ['request', 'url'],
    ['answer', 'url'],
  ];
  try {
    return await runScenario(scenario, async (stage) => {
      const figures: Record<string, number> = {};
      for (const [operation, kind] of submissions) {
        const arm: Arm = async (nth) => {
          await armError(root, operation, nth);
          return () => disarmError(root, operation);
        };
        const failureCount = await failEach(stage, kind, arm);
        const figure = FIGURE_NAMES[operation];
        figures[figure] = (figures[figure] ?? 0) + failureCount;
        if (failureCount === 0) stage.problems.push(`no ${operation} failed for ${kind}`);
      }
      return figures;
    });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Submits with the first use failing, then with the second, and so on until all uses succeed; returns how many failed. */
async function failEach({ world, driver, problems }: Stage, kind: OperationKind, arm: Arm): Promise<number> {
  // Only the planted failure may occur.
  world.origin.calm();
  for (let nth = 1; nth < NTH_MAX; nth += 1) {
    const hasFailed = await arm(nth);
    const phase = await driver.perform(kind);
    // A submission without a key may stay unknown; the checker then accepts one job or none.
    if (phase === 'failed') problems.push(`the submission with failure ${nth} was refused`);
    const over = await until(async () => (await countOpen(world)) === 0, SUBMISSION_MS_MAX, 30);
    if (!over) problems.push(`a minute after failure ${nth} jobs or webhooks were left`);
    if (!(await hasFailed())) return nth - 1;
  }
  problems.push(`${kind} still failed at use ${NTH_MAX - 1}`);
  return NTH_MAX - 1;
}

async function countOpen(world: World): Promise<number> {
  const undelivered = `webhook_deliveries where status in ('pending', 'delivering')`;
  return (await countUnfinished(world)) + (await world.postgres.count(undelivered));
}
