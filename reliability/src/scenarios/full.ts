import { appendFile } from 'node:fs/promises';
import { runCorpus } from '../corpus/run-corpus.ts';
import { runInLanes } from '../lanes.ts';
import { printOutcome } from '../print-outcome.ts';
import type { RecordedOutcome } from '../report.ts';
import type { Outcome } from '../scenario.ts';
import { UsageError } from '../usage-error.ts';
import { runDatabaseFaults } from './database-faults.ts';
import { runDatabaseStates } from './database-states.ts';
import { runDatabaseDiskFull, runDiskFull } from './disk-full.ts';
import { runFailpoints } from './failpoints.ts';
import { runFewDescriptors } from './few-descriptors.ts';
import { runHostileUploads } from './hostile-uploads.ts';
import { runKills } from './kills.ts';
import { runLoad } from './load.ts';
import { runMigrationCut } from './migration-cut.ts';
import { runNames } from './names.ts';
import { runNthOperation, runNthStatement } from './nth-failure.ts';
import { runProvocation } from './provocations.ts';
import { runStoreFaults } from './store-faults.ts';
import { runPoison, runRollingRestarts, runStarvedHeartbeat, runZombies } from './worker-faults.ts';

type Run = (seed: string) => Promise<Outcome | null>;

/** Every scenario but the mutants. The counts let a run end within half an hour. */
export const FULL: Readonly<Record<string, Run>> = {
  kills: (seed) =>
    runKills({
      name: '200 kills',
      seed,
      tenantCount: 5,
      kills: 200,
      killsPerSecond: 1.2,
      operationsPerSecond: 5,
      unfinishedMax: 14,
    }),
  'kills with real clocks': (seed) =>
    runKills({
      name: 'kills with the clocks of production',
      seed,
      patches: [],
      refusals: 'at first',
      kills: 8,
      killsPerSecond: 0.3,
      operationsPerSecond: 2,
      unfinishedMax: 8,
    }),
  failpoints: (seed) => runFailpoints(seed, 10),
  corpus: runCorpus,
  'nth statement before': (seed) => runNthStatement(seed, 'before'),
  'nth statement after': (seed) => runNthStatement(seed, 'after'),
  'nth operation': runNthOperation,
  zombies: (seed) => runZombies(seed, 50),
  poison: (seed) => runPoison(seed, 2),
  database: (seed) =>
    runDatabaseFaults(seed, { 'immediate restart': 20, 'kill -9': 10, 'all connections ended': 50 }),
  'states of the database': runDatabaseStates,
  'disk full': runDiskFull,
  'disk of the database full': runDatabaseDiskFull,
  descriptors: runFewDescriptors,
  migration: (seed) => runMigrationCut(seed, 10),
  store: (seed) => runStoreFaults(seed, 150),
  'rolling restarts': (seed) => runRollingRestarts(seed, 50),
  heartbeat: runStarvedHeartbeat,
  names: (seed) => runNames(seed, 100),
  overload: (seed) => runProvocation('overload', { seed }),
  parking: (seed) => runProvocation('parking', { seed }),
  deadlines: (seed) => runProvocation('deadlines', { name: 'deadlines under garbage collection', seed }),
  'slow neighbours': (seed) => runProvocation('slow neighbours', { seed }),
  cancels: (seed) => runProvocation('cancels', { name: 'cancels and retries', seed }),
  'hostile uploads': (seed) => runHostileUploads(seed, { everyNth: 40 }),
  load: (seed) => runLoad(seed, { seconds: 20 }),
};

/** Scenarios that measure time, and so run one at a time. */
const RUN_ALONE = [
  'heartbeat',
  'names',
  'overload',
  'deadlines',
  'slow neighbours',
  'load',
  'kills with real clocks',
];

/** Runs all scenarios, or those whose name contains `only`, and appends each outcome to the file at `recordPath`. */
export async function runFull(
  seed: string,
  only: string | null,
  recordPath: string | null,
): Promise<boolean> {
  let passed = true;
  const chosen = Object.entries(FULL).filter(([name]) => only === null || name.includes(only));
  if (chosen.length === 0)
    throw new UsageError(`No scenario has "${only}" in its name. There are: ${Object.keys(FULL).join(', ')}`);
  await runInLanes(
    chosen,
    ([name]) => RUN_ALONE.includes(name),
    async ([name, run]) => {
      const ownSeed = `${seed}-${name.replaceAll(' ', '-')}`;
      const startedMs = performance.now();
      const outcome = await run(ownSeed).catch((error: unknown) =>
        thrownOutcome(name, ownSeed, startedMs, error),
      );
      if (outcome === null) return console.log(`not run: ${name} (this machine does not allow it)`);
      const recorded: RecordedOutcome = { scenario: name, ...outcome };
      if (recordPath !== null) await appendFile(recordPath, `${JSON.stringify(recorded)}\n`);
      passed = printOutcome(outcome) && passed;
    },
  );
  return passed;
}

/** A scenario that throws is red, and the others still run. */
function thrownOutcome(name: string, seed: string, startedMs: number, error: unknown): Outcome {
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  const problems = [`threw: ${error instanceof Error ? error.stack : String(error)}`];
  return { name, seed, seconds, figures: {}, violations: [], problems };
}
