import { countUnfinished } from '../idle.ts';
import { type Outcome, runScenario } from '../scenario.ts';
import { until } from '../until.ts';
import { QUICK_CLOCKS } from '../variants/clocks.ts';

/** How a job would end if audio that the store has damaged were taken for the customer's. */
const BLAMED_ON_AUDIO = ['unsupported_format', 'corrupt_audio', 'no_audio'];

/** A14: the store answers 500 and 503, resets connections before and after processing, and truncates and damages what it returns. */
export function runStoreFaults(seed: string, operations: number): Promise<Outcome> {
  const options = { name: 'a store in trouble', seed, withS3: true, patches: QUICK_CLOCKS };
  return runScenario(options, async ({ world, driver, problems }) => {
    // Only the store may cause failures.
    world.origin.calm();
    world.s3?.misbehave();
    const load = driver.performOpenLoop({
      operationsPerSecond: 4,
      mixture: { upload: 4, object: 4, session: 2, cancel: 1, delete: 2, read: 1, probe: 2 },
      stop: () => driver.counts.operations >= operations,
      unfinishedMax: 10,
    });
    await load;
    await until(async () => (await countUnfinished(world)) === 0, 60_000);
    const { rows } = await world.postgres.pool.query<{ id: string; error_code: string }>(
      'select id, error_code from analyses where error_code = any ($1)',
      [BLAMED_ON_AUDIO],
    );
    for (const { id, error_code } of rows)
      problems.push(`${id} ended as ${error_code}, although its audio is valid`);
    return { ...world.s3?.faults };
  });
}
