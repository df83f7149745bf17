import { printOutcome } from './print-outcome.ts';
import { writeReport } from './report.ts';
import { runFull } from './scenarios/full.ts';
import { runKills } from './scenarios/kills.ts';
import { runMutants } from './scenarios/mutants.ts';
import { UsageError } from './usage-error.ts';

export type CommandInput = { seed: string; only: string | null; recordPath: string | null };
export type Command = { summary: string; run(input: CommandInput): Promise<boolean> };

export const COMMANDS: Record<string, Command> = {
  smoke: {
    summary: 'random kill -9 under mixed load, checked; under 3 minutes',
    async run({ seed }) {
      return printOutcome(await runSmoke(seed));
    },
  },
  full: {
    summary: 'every scenario; --only part of a name; --record appends each outcome to a file',
    run: ({ seed, only, recordPath }) => runFull(seed, only, recordPath),
  },
  report: {
    summary: 'the outcomes of a --record file as tables',
    async run({ recordPath }) {
      if (recordPath === null) throw new UsageError('report needs --record file');
      console.log(await writeReport(recordPath));
      return true;
    },
  },
  mutants: {
    summary: 'planted bugs, each of which must turn the checker red; --only part of a name',
    async run({ seed, only }) {
      const { controlsPassed, verdicts } = await runMutants(seed, only);
      const caughtCount = verdicts.filter((verdict) => verdict.caught).length;
      console.log(`${caughtCount} of ${verdicts.length} planted bugs were caught`);
      return controlsPassed && caughtCount === verdicts.length;
    },
  },
};

function runSmoke(seed: string) {
  return runKills({
    name: 'smoke',
    seed,
    // Half a minute of kills, so that the whole run takes less than three minutes.
    kills: 20,
    killsPerSecond: 0.7,
    operationsPerSecond: 4,
    unfinishedMax: 12,
  });
}
