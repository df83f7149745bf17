/** `earshot <command>`: reads the arguments, runs one command, answers with an exit code scripts can use. */

import { ExportUnavailable } from '@earshot/exports';
import { ApiError, EarshotError } from '@earshot/sdk';
import { NotSignedIn } from './account/connect.ts';
import { runKeys } from './account/keys-command.ts';
import { runLogin, runLogout } from './account/login-command.ts';
import { runAnalyze } from './analyze/analyze-command.ts';
import { EXIT } from './exit-codes.ts';
import { HELP, helpOf } from './help.ts';
import { runListen } from './listen/listen-command.ts';
import { runMcp } from './mcp/mcp-command.ts';
import { UsageError } from './usage-error.ts';

const COMMANDS: Record<string, (args: readonly string[]) => Promise<number>> = {
  analyze: runAnalyze,
  analyse: runAnalyze,
  login: runLogin,
  logout: runLogout,
  keys: runKeys,
  listen: runListen,
  mcp: runMcp,
};

async function main([command, ...args]: readonly string[]): Promise<number> {
  if (command === undefined || ['help', '--help', '-h'].includes(command)) {
    console.log(args[0] === undefined ? HELP : helpOf(args[0]));
    return EXIT.ok;
  }
  const run = COMMANDS[command];
  if (!run) throw new UsageError(`there is no command "${command}". Try: earshot --help`);
  if (args.includes('--help') || args.includes('-h')) {
    console.log(helpOf(command));
    return EXIT.ok;
  }
  return run(args);
}

function exitCodeOf(error: unknown): number | null {
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof EarshotError || error instanceof NotSignedIn) return EXIT.service;
  return error instanceof ExportUnavailable ? EXIT.someFailed : null;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const exitCode = exitCodeOf(error);
  if (exitCode === null) throw error;
  const request = error instanceof ApiError && error.requestId ? ` (request ${error.requestId})` : '';
  console.error(`earshot: ${(error as Error).message}${request}`);
  process.exitCode = exitCode;
}
