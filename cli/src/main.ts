/** `earshot <command>`: runs one command and sets the exit code. */

import cliPackage from '../package.json' with { type: 'json' };
import { ENGINE_COMMAND } from './analyze/engine-command.ts';
import { COMMANDS } from './commands.ts';
import { EXIT } from './exit-codes.ts';
import { HELP, helpOf } from './help.ts';
import { UsageError } from './usage-error.ts';

async function main([command, ...args]: readonly string[]): Promise<number> {
  if (command === undefined || ['help', '--help', '-h'].includes(command)) {
    console.log(args[0] === undefined ? HELP : helpOf(args[0]));
    return EXIT.ok;
  }
  if (['version', '--version', '-v'].includes(command)) {
    console.log(cliPackage.version);
    return EXIT.ok;
  }
  if (command === ENGINE_COMMAND && process.send) {
    await (await import('./analyze/engine-process.ts')).serveEngineRequests();
    return EXIT.ok;
  }
  if (args.includes('--help') || args.includes('-h')) {
    console.log(helpOf(command));
    return EXIT.ok;
  }
  const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  if (!run) throw new UsageError(`there is no command "${command}". Try: earshot --help`);
  return run(args);
}

async function reportFailure(error: unknown): Promise<number> {
  const { explainFailure } = await import('./explain-failure.ts');
  const failure = explainFailure(error);
  console.error(`earshot: ${failure.message}`);
  return failure.exitCode;
}

/** Without this, a closed pipe (`| head`) or a full disk would end in a stack trace. */
function endOnLostOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') console.error(`earshot: ${error.message}`);
    process.exit(EXIT.someFailed);
  });
  process.stderr.on('error', () => {});
}

endOnLostOutput();
// No top-level await: the program is bundled as CommonJS.
main(process.argv.slice(2))
  .catch(reportFailure)
  .then((exitCode) => {
    process.exitCode = exitCode;
  });
