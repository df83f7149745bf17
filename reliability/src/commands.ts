import { printOutcome } from './print-outcome.ts';
import { runKills } from './scenarios/kills.ts';

export type CommandInput = { seed: string; only: string | null; reportPath: string | null };
export type Command = { summary: string; run(input: CommandInput): Promise<boolean> };

export const COMMANDS: Record<string, Command> = {
  smoke: {
    summary: 'random kill -9 under mixed load, checked; under 3 minutes',
    async run({ seed }) {
      return printOutcome(await runSmoke(seed));
    },
  },
};

function runSmoke(seed: string) {
  return runKills({
    name: 'smoke',
    seed,
    kills: 20,
    killsPerSecond: 0.7,
    operationsPerSecond: 4,
    unfinishedMax: 12,
  });
}
