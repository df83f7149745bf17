/** The engine's camelCase names as the interface spells them, in snake_case. */

type SnakeCase<Name extends string> = Name extends `${infer Head}${infer Tail}`
  ? Head extends Uppercase<Head>
    ? Head extends Lowercase<Head>
      ? `${Head}${SnakeCase<Tail>}`
      : `_${Lowercase<Head>}${SnakeCase<Tail>}`
    : `${Head}${SnakeCase<Tail>}`
  : Name;

export type SnakeCaseKeys<T> = T extends readonly (infer Item)[]
  ? SnakeCaseKeys<Item>[]
  : T extends object
    ? { [Key in keyof T as Key extends string ? SnakeCase<Key> : Key]: SnakeCaseKeys<T[Key]> }
    : T;

/** Converts the keys at every level. Keys that are data, such as "tonal.key", have no capitals and stay as they are. */
export function snakeCaseKeys<T>(value: T): SnakeCaseKeys<T> {
  return convert(value) as SnakeCaseKeys<T>;
}

function convert(value: unknown): unknown {
  // All items of a list are of one kind. A list of numbers, such as fifty thousand pixels of a waveform, has no keys and is not copied.
  if (Array.isArray(value)) return typeof value[0] === 'object' ? value.map(convert) : value;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [nameOf(key), convert(member)]));
}

/** A cache, because every beat repeats the same names. The names in a result are a closed set, so it cannot grow. */
const names = new Map<string, string>();

function nameOf(key: string): string {
  let name = names.get(key);
  if (name === undefined) {
    name = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    names.set(key, name);
  }
  return name;
}
