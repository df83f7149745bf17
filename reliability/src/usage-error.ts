/** The command was called with wrong arguments; main.ts answers with the usage. */
export class UsageError extends Error {}
