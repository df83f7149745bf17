import { type ParseArgsConfig, parseArgs } from 'node:util';

/** The command line is wrong; the message says how. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A word that would be ignored was meant for something. */
export function refuseWords(words: readonly string[]): void {
  if (words.length > 0)
    throw new UsageError(`what is "${words.join(' ')}" for? Several words that are one name need quotes`);
}

/** parseArgs, whose complaints are ours too. */
export function readArgs<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
