/** The command line is wrong; main.ts prints the usage. */
export class UsageError extends Error {}
