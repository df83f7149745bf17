import { runInLanes } from '../lanes.ts';
import { type PostgresServer, withPostgresServer } from '../postgres-server.ts';
import { printOutcome } from '../print-outcome.ts';
import { UsageError } from '../usage-error.ts';
import { QUICK_CLOCKS } from '../variants/clocks.ts';
import { MUTANTS, type Mutant } from '../variants/mutants.ts';
import { PROVOCATIONS, type Provocation, runProvocation } from './provocations.ts';

/** Short, because some mutants never become idle. The controls show that it is enough for a service without a bug. */
const IDLE_MS_MAX = 75_000;

/** Provocations that measure time, and so run one at a time. */
const mustRunAlone = (provocation: Provocation): boolean =>
  ['zombie', 'names', 'overload', 'deadlines', 'slow neighbours'].includes(provocation);

type MutantVerdict = {
  name: string;
  caught: boolean;
  /** The first violation that revealed it; null when it was missed. */
  example: string | null;
  seconds: number;
};

/**
 * Tests the checker: first the unchanged service, which must be green in every provocation; then each planted bug, which must break one of
 * the promises listed for it. Other violations do not count.
 */
export async function runMutants(
  seed: string,
  only: string | null,
): Promise<{ controlsPassed: boolean; verdicts: MutantVerdict[] }> {
  const chosen = MUTANTS.filter(({ name }) => only === null || name.includes(only));
  if (chosen.length === 0)
    throw new UsageError(
      `No planted bug has "${only}" in its name. There are: ${MUTANTS.map(({ name }) => name).join(', ')}`,
    );
  // All worlds share one server, each with a separate database.
  return withPostgresServer('mutants', async (postgres) => {
    const provocations = new Set(chosen.map(({ provocation }) => provocation));
    let controlsPassed = true;
    await runInLanes(
      (Object.keys(PROVOCATIONS) as Provocation[]).filter((provocation) => provocations.has(provocation)),
      mustRunAlone,
      async (provocation) => {
        const name = `control: ${provocation}`;
        const outcome = await runProvocation(provocation, { name, seed, postgres, idleMsMax: IDLE_MS_MAX });
        controlsPassed = printOutcome(outcome) && controlsPassed;
      },
    );
    const verdicts: MutantVerdict[] = [];
    await runInLanes(
      chosen,
      ({ provocation }) => mustRunAlone(provocation),
      async (mutant) => {
        const verdict = await judge(mutant, seed, postgres);
        const { name, caught, example, seconds } = verdict;
        console.log(`${caught ? 'caught ' : 'MISSED '} ${name} (${seconds} s) ${example ?? ''}`);
        verdicts.push(verdict);
      },
    );
    return { controlsPassed, verdicts };
  });
}

async function judge(mutant: Mutant, seed: string, postgres: PostgresServer): Promise<MutantVerdict> {
  const { name, provocation, breaks } = mutant;
  const patches = [...QUICK_CLOCKS, ...mutant.patches];
  const { violations, problems, seconds } = await runProvocation(provocation, {
    name,
    seed,
    postgres,
    patches,
    idleMsMax: IDLE_MS_MAX,
  });
  const expected = [
    ...violations.filter(({ invariant }) => breaks.includes(invariant)),
    ...(breaks.includes('own') ? problems.map((message) => ({ invariant: 'own', message })) : []),
  ];
  const [first] = expected;
  return {
    name,
    seconds,
    caught: expected.length > 0,
    example: first ? `${first.invariant}: ${first.message}` : null,
  };
}
