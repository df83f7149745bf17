import { inspect } from 'node:util';
import { ParameterError } from '@earshot/engine';
import { ExportUnavailable } from '@earshot/exports';
import { ApiError, EarshotError } from '@earshot/sdk';
import { NotSignedIn } from './account/connect.ts';
import { EXIT } from './exit-codes.ts';
import { printable } from './printable.ts';
import { UsageError } from './usage-error.ts';

/** A sentence for the user, or a stack trace for a bug in Earshot, and the exit code for scripts. */
export function explainFailure(error: unknown): { message: string; exitCode: number } {
  const exitCode = exitCodeOf(error);
  const request = error instanceof ApiError && error.requestId ? ` (request ${error.requestId})` : '';
  const text =
    exitCode === EXIT.bug
      ? `this is a bug in Earshot. ${inspect(error)}`
      : `${(error as Error).message}${request}`;
  // Line by line, because a stack and some of Node's messages have several.
  return { message: text.split('\n').map(printable).join('\n'), exitCode };
}

function exitCodeOf(error: unknown): number {
  // The engine refuses invalid hints, such as a tempo of 500.
  if (error instanceof UsageError || error instanceof ParameterError) return EXIT.usage;
  if (error instanceof EarshotError || error instanceof NotSignedIn) return EXIT.service;
  return error instanceof ExportUnavailable || isPathError(error) || isDiskError(error)
    ? EXIT.someFailed
    : EXIT.bug;
}

/** A file or folder that could not be read or written: Node's message names it. */
function isPathError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && 'path' in error;
}

/** Writing to an open file failed: then Node names no path. */
function isDiskError(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    ['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO'].includes(String(error.code))
  );
}
