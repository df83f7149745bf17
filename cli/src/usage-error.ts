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

/** Undefined when it was not given; `orElse` names what may stand in place of a number. */
export function readNumber(option: string, given: string | undefined, orElse = ''): number | undefined {
  if (given === undefined) return undefined;
  const value = Number(given);
  if (given.trim() !== '' && Number.isFinite(value)) return value;
  throw new UsageError(`${option} is a number${orElse}, not "${given}"`);
}

/** Our choice: far beyond what any line to a service carries. */
const PARALLEL_MAX = 64;

export function readParallel(given: string | undefined): number | undefined {
  const parallel = readNumber('--parallel', given);
  if (parallel === undefined || (Number.isInteger(parallel) && parallel >= 1 && parallel <= PARALLEL_MAX))
    return parallel;
  throw new UsageError(`--parallel is a whole number from 1 to ${PARALLEL_MAX}`);
}

type Options = NonNullable<ParseArgsConfig['options']>;
type OptionsAlone<T extends Options> = { args: string[]; options: T };
type OptionsAndWords<T extends Options> = OptionsAlone<T> & { allowPositionals: true };
type Parsed<C extends ParseArgsConfig> = ReturnType<typeof parseArgs<C>>;

/** The options of a command, and the words between them. */
export function readArgs<T extends Options>(args: readonly string[], options: T): Parsed<OptionsAndWords<T>> {
  return parse({ args: [...args], options, allowPositionals: true });
}

/** The options of a command that takes no words. */
export function readOptions<T extends Options>(
  args: readonly string[],
  options: T,
): Parsed<OptionsAlone<T>>['values'] {
  return parse<OptionsAlone<T>>({ args: [...args], options }).values;
}

/** parseArgs, whose complaints are ours too. */
function parse<C extends ParseArgsConfig>(config: C): Parsed<C> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
