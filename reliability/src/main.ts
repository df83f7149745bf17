import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { COMMANDS, type Command } from './commands.ts';

const USAGE = `Usage: npm run reliability -- <command> [--seed text] [--only name] [--record file]
${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`)
  .join('\n')}
A run prints its seed; the same seed makes the same choices again.`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { seed: { type: 'string' }, only: { type: 'string' }, record: { type: 'string' } },
  });
  const command: Command | undefined = COMMANDS[positionals[0] ?? ''];
  if (!command) {
    console.error(USAGE);
    return 2;
  }
  const seed = values.seed ?? randomBytes(4).toString('hex');
  console.log(`seed ${seed}`);
  const fine = await command.run({ seed, only: values.only ?? null, recordPath: values.record ?? null });
  if (!fine) console.log(`RED. Again with: npm run reliability -- ${positionals[0]} --seed ${seed}`);
  return fine ? 0 : 1;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));

process.exit(await main());
