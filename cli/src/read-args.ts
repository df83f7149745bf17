import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UsageError } from './usage-error.ts';

export const TEXT = { type: 'string' } as const;
export const TEXTS = { type: 'string', multiple: true } as const;
export const FLAG = { type: 'boolean', default: false } as const;

/** For commands that take no further words: one that is ignored silently was probably meant for something. */
export function refuseWords(words: readonly string[]): void {
  if (words.length > 0)
    throw new UsageError(`what is "${words.join(' ')}" for? Several words that are one name need quotes`);
}

/** Undefined, which JSON leaves out, without the option; `orElse` ends the sentence when words are allowed instead of a number. */
export function readNumber(option: string, given: string | undefined, orElse = ''): number | undefined {
  if (given === undefined) return undefined;
  const value = Number(given);
  if (given.trim() !== '' && Number.isFinite(value)) return value;
  throw new UsageError(`${option} is a number${orElse}, not "${given}"`);
}

/** Each song at a time is an engine process or an upload, so a larger number is probably a typing error. */
const SONGS_AT_ONCE_MAX = 64;

/** The value of --parallel; null when it was not given. */
export function readSongsAtOnce(given: string | undefined): number | null {
  const songsAtOnce = readNumber('--parallel', given);
  if (songsAtOnce === undefined) return null;
  if (Number.isInteger(songsAtOnce) && songsAtOnce >= 1 && songsAtOnce <= SONGS_AT_ONCE_MAX)
    return songsAtOnce;
  throw new UsageError(`--parallel is a whole number from 1 to ${SONGS_AT_ONCE_MAX}`);
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

/** `parseArgs`, with its errors as UsageError. */
function parse<C extends ParseArgsConfig>(config: C): Parsed<C> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
