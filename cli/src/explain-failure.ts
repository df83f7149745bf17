import { ExportUnavailable } from '@earshot/exports';
import { ApiError, EarshotError } from '@earshot/sdk';
import { NotSignedIn } from './account/connect.ts';
import { EXIT } from './exit-codes.ts';
import { UsageError } from './usage-error.ts';

/** What to tell the person and the script; null for what is our own fault. */
export function explainFailure(error: unknown): { message: string; exitCode: number } | null {
  const exitCode = exitCodeOf(error);
  if (exitCode === null) return null;
  const request = error instanceof ApiError && error.requestId ? ` (request ${error.requestId})` : '';
  return { message: `${(error as Error).message}${request}`, exitCode };
}

function exitCodeOf(error: unknown): number | null {
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof EarshotError || error instanceof NotSignedIn) return EXIT.service;
  return error instanceof ExportUnavailable ? EXIT.someFailed : null;
}
