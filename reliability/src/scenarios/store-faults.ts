import { waitForJobs } from '../idle.ts';
import { type Outcome, runScenario } from '../scenario.ts';
import { QUICK_CLOCKS } from '../variants/clocks.ts';

/** How a job would fail if the service did not notice that the store had damaged the audio. */
const BLAMED_ON_AUDIO = ['unsupported_format', 'corrupt_audio', 'no_audio'];

/** Longer than the retries of the last jobs take, even on a busy machine. */
const JOBS_MS_MAX = 60_000;

/** The object store answers 500 and 503, resets connections before and after processing, and truncates and damages what it returns. */
export function runStoreFaults(seed: string, operations: number): Promise<Outcome> {
  const options = { name: 'a store in trouble', seed, withS3: true, patches: QUICK_CLOCKS };
  return runScenario(options, async ({ world, driver, problems }) => {
    // Only the store may cause failures.
    world.origin.calm();
    world.s3?.misbehave();
    await driver.performOpenLoop({
      operationsPerSecond: 4,
      mixture: { upload: 4, object: 4, session: 2, cancel: 1, delete: 2, read: 1, probe: 2 },
      stop: () => driver.counts.operations >= operations,
      unfinishedMax: 10,
    });
    await waitForJobs(world, JOBS_MS_MAX);
    const { rows } = await world.postgres.pool.query<{ id: string; error_code: string }>(
      'select id, error_code from analyses where error_code = any ($1)',
      [BLAMED_ON_AUDIO],
    );
    for (const { id, error_code } of rows)
      problems.push(`${id} ended as ${error_code}, although its audio is valid`);
    return { ...world.s3?.faults };
  });
}
