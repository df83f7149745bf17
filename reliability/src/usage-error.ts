/** The command line is wrong; main.ts prints the usage. */
export class UsageError extends Error {}

/** Including the errors that parseArgs throws. */
export function isUsageError(error: unknown): error is Error {
  // A number in a DOMException and in the errors of execFile.
  const { code } = error as { code?: string | number };
  return error instanceof UsageError || String(code).startsWith('ERR_PARSE_ARGS_');
}
