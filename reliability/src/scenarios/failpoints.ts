import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OperationKind } from '../driver.ts';
import { countUnfinished } from '../quiet.ts';
import { type Outcome, runScenario } from '../scenario.ts';
import { until } from '../until.ts';
import { QUICK_CLOCKS } from '../variants/clocks.ts';
import { FAILPOINT_BANNER, FAILPOINTS, failpointPatches } from '../variants/failpoints.ts';

/** What makes a service pass every point: all kinds of submissions, failures, cancels. */
const MIXTURE: Partial<Record<OperationKind, number>> = {
  upload: 3,
  url: 2,
  object: 2,
  session: 3,
  broken: 3,
  cancel: 2,
};
const POINT_MS_MAX = 90_000;

/** A2: dies at every named point, `times` each, while customers go on. */
export async function runFailpoints(seed: string, times: number): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-failpoint-'));
  const file = join(folder, 'armed');
  const options = {
    name: 'failpoints',
    seed,
    patches: [...QUICK_CLOCKS, ...failpointPatches()],
    banner: FAILPOINT_BANNER,
    env: { FAILPOINT_FILE: file },
  };
  try {
    return await runScenario(options, async ({ world, driver, problems }) => {
      let over = false;
      world.webhooks.misbehave({ take: 3, refuse: 2, 'take-and-reset': 1 });
      const load = driver.performOpenLoop({
        perSecond: 3,
        mixture: MIXTURE,
        stop: () => over,
        unfinishedMax: async () => (await countUnfinished(world).catch(() => 10)) >= 10,
      });
      let deaths = 0;
      for (const name of Object.keys(FAILPOINTS)) {
        await writeFile(file, `${times} ${name}`);
        const left = async () => Number.parseInt(await readFile(file, 'utf8'), 10);
        await until(async () => (await left()) === 0, POINT_MS_MAX);
        const remaining = await left();
        deaths += times - remaining;
        if (remaining === times) problems.push(`nothing ever passed "${name}"`);
      }
      over = true;
      await load;
      return { points: Object.keys(FAILPOINTS).length, deaths };
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
