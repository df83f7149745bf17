import { check, type Violation } from './checker/check.ts';
import { gatherEvidence } from './checker/evidence.ts';
import { type LedgerSampler, sampleLedger } from './checker/ledger-samples.ts';
import { createDriver, type Driver } from './driver.ts';
import { waitUntilIdle } from './idle.ts';
import { secondsOf } from './seconds.ts';
import { type DatabaseProxy, startDatabaseProxy } from './stand-ins/database-proxy.ts';
import { QUICK_CLOCKS } from './variants/clocks.ts';
import { createWorld, type World, type WorldOptions } from './world.ts';

export type Figures = Record<string, number | string>;

/** The outcome of a scenario. The checker finds `violations`; `problems` are failed expectations of the scenario itself. */
export type Outcome = {
  name: string;
  seed: string;
  seconds: number;
  figures: Figures;
  violations: Violation[];
  problems: string[];
};

/** What the body of a scenario works with. */
export type Stage = { world: World; driver: Driver; problems: string[] };

export type ScenarioOptions = Partial<WorldOptions> & {
  name: string;
  seed: string;
  /** How long the world may take to become idle. */
  idleMsMax?: number;
};

/** Work that is unfinished after this time counts as lost. The slowest scenario so far needed 30 s (docs/reliability.md). */
const IDLE_MS_MAX = 300_000;

/** Builds a world, lets `body` break it, waits until it is idle, and runs the checker. */
export async function runScenario(
  options: ScenarioOptions,
  body: (stage: Stage) => Promise<Figures>,
): Promise<Outcome> {
  const startedMs = performance.now();
  const world = await createWorld({ patches: QUICK_CLOCKS, ...options });
  let sampler: LedgerSampler | null = null;
  const driver = createDriver(world);
  try {
    sampler = sampleLedger(world);
    const problems: string[] = [];
    const figures = await body({ world, driver, problems });
    const endedMs = performance.now();
    const isIdle = await waitUntilIdle(world, options.idleMsMax ?? IDLE_MS_MAX);
    const idleSeconds = secondsOf(performance.now() - endedMs);
    await sampler.stop();
    const violations = await check(await gatherEvidence(world));
    if (sampler.sampleCount() === 0)
      violations.push({ invariant: 'I3', message: 'the balances were never sampled' });
    for (const message of sampler.problems()) violations.push({ invariant: 'I3', message });
    if (!isIdle && violations.length === 0)
      problems.push(`the world was not idle within ${options.idleMsMax ?? IDLE_MS_MAX} ms`);
    return {
      name: options.name,
      seed: options.seed,
      seconds: Math.round((performance.now() - startedMs) / 1000),
      figures: {
        ...figures,
        operations: driver.counts.operations,
        'jobs accepted': driver.counts.acceptedJobs,
        ...(await countJobsByStatus(world)),
        'webhook calls': world.webhooks.calls.length,
        'ledger samples': sampler.sampleCount(),
        'seconds to rest': idleSeconds,
      },
      violations,
      problems,
    };
  } finally {
    // If the body has thrown, operations are still in progress and write to the history, which must not be closed before they end.
    await driver.end();
    await sampler?.stop();
    await world.close();
  }
}

async function countJobsByStatus(world: World): Promise<Figures> {
  const { rows } = await world.postgres.pool.query<{ status: string; count: number }>(
    `select case when deleted_at is not null then 'deleted' else status end as status, count(*)::int as count
     from analyses group by 1 order by 1`,
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

/** Runs a scenario with a proxy between the services and PostgreSQL. */
export function runThroughProxy(
  options: ScenarioOptions,
  body: (stage: Stage, proxy: DatabaseProxy) => Promise<Figures>,
): Promise<Outcome> {
  let proxy: DatabaseProxy | null = null;
  const databaseUrl = async ({ socketPath, urlThrough }: World['postgres']) => {
    proxy = await startDatabaseProxy(socketPath);
    return urlThrough(proxy.port);
  };
  return runScenario({ ...options, databaseUrl }, (stage) => body(stage, proxy!)).finally(() =>
    proxy?.close(),
  );
}
