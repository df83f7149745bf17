import { inspect } from 'node:util';
import { ParameterError } from '@earshot/engine';
import { ExportUnavailable } from '@earshot/exports';
import { ApiError, EarshotError } from '@earshot/sdk';
import { NotSignedIn } from './account/connect.ts';
import { EXIT } from './exit-codes.ts';
import { printable } from './printable.ts';
import { UsageError } from './usage-error.ts';

/** What to tell the person and the script: a sentence, or for what is our own fault where it came from. */
export function explainFailure(error: unknown): { message: string; exitCode: number } {
  const exitCode = exitCodeOf(error);
  if (exitCode === EXIT.bug) return { message: `this is a fault of ours. ${inspect(error)}`, exitCode };
  const request = error instanceof ApiError && error.requestId ? ` (request ${error.requestId})` : '';
  // Some of Node's sentences have lines.
  const lines = (error as Error).message.split('\n').map(printable);
  return { message: `${lines.join('\n')}${request}`, exitCode };
}

function exitCodeOf(error: unknown): number {
  // What the engine refuses is a hint that was given: a tempo of 500, a key that is none.
  if (error instanceof UsageError || error instanceof ParameterError) return EXIT.usage;
  if (error instanceof EarshotError || error instanceof NotSignedIn) return EXIT.service;
  return error instanceof ExportUnavailable || isOfAPath(error) || isOfADisk(error)
    ? EXIT.someFailed
    : EXIT.bug;
}

/** A file or folder that could not be read or written: Node's sentence names it. */
function isOfAPath(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && 'path' in error;
}

/** A file that was opened and cannot be written on: Node names no path then. */
function isOfADisk(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    ['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO'].includes(String(error.code))
  );
}
