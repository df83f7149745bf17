/** `earshot <command>`: reads the arguments, runs one command, answers with an exit code scripts can use. */

import { runAnalyze } from './analyze-command.ts';
import { EXIT } from './exit-codes.ts';
import { HELP } from './help.ts';

const [command, ...args] = process.argv.slice(2);

switch (command) {
  case 'analyze':
  case 'analyse':
    process.exitCode = await runAnalyze(args);
    break;
  case undefined:
  case 'help':
  case '--help':
  case '-h':
    console.log(HELP);
    break;
  default:
    console.error(`earshot: there is no command "${command}". Try: earshot --help`);
    process.exitCode = EXIT.usage;
}
