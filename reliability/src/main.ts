import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { COMMANDS } from './commands.ts';
import { isUsageError, UsageError } from './usage-error.ts';

const USAGE = `Usage: npm run reliability -- <command> [--seed text] [--only name] [--record file]
${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`)
  .join('\n')}
A run prints its seed; the same seed repeats its choices.`;

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { seed: { type: 'string' }, only: { type: 'string' }, record: { type: 'string' } },
  });
  const [name = '', ...more] = positionals;
  if (!Object.hasOwn(COMMANDS, name) || more.length > 0)
    throw new UsageError(
      positionals.length === 0 ? 'no command' : `no such command: ${positionals.join(' ')}`,
    );
  return { name, values };
}

async function main(): Promise<number> {
  try {
    const { name, values } = readArguments();
    const { only, seed = randomBytes(4).toString('hex') } = values;
    console.log(`seed ${seed}`);
    const green = await COMMANDS[name]!.run({ seed, only: only ?? null, recordPath: values.record ?? null });
    if (!green)
      console.log(
        `RED. To repeat: npm run reliability -- ${name} --seed ${seed}${only === undefined ? '' : ` --only '${only}'`}`,
      );
    return green ? 0 : 1;
  } catch (error) {
    if (!isUsageError(error)) throw error;
    console.error(`${error.message}\n${USAGE}`);
    return 2;
  }
}

// A signal would end Node without the hook that kills the processes under test (processes.ts). 130 is a shell's status after Ctrl-C.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));

// Without `process.exit` Node would wait for those processes.
process.exit(await main());
