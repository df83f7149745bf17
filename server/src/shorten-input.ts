import { truncateText } from './platform/truncate-text.ts';

/** Chosen: enough of the input for a person to see the fault. */
const INPUT_CHARACTERS_MAX = 256;
const INPUT_JSON_CHARACTERS_MAX = 1024;

/** The input as it is repeated in the answer; a long one is cut to the beginning of its text or JSON. */
export function shorten(input: unknown): unknown {
  if (typeof input === 'string') {
    return input.length > INPUT_CHARACTERS_MAX ? `${truncateText(input, INPUT_CHARACTERS_MAX)}…` : input;
  }
  if (typeof input !== 'object' || input === null) return input;
  const text = startOfJson(input, INPUT_JSON_CHARACTERS_MAX + 1);
  return text.length > INPUT_JSON_CHARACTERS_MAX ? `${truncateText(text, INPUT_CHARACTERS_MAX)}…` : input;
}

/** Like JSON.stringify, but stops soon after `charactersMax`, so that only the beginning of a large value is read. */
function startOfJson(value: unknown, charactersMax: number): string {
  let text = '';
  const write = (part: unknown): void => {
    if (text.length > charactersMax) return;
    if (typeof part === 'string') text += JSON.stringify(truncateText(part, charactersMax));
    else if (typeof part !== 'object' || part === null) text += JSON.stringify(part) ?? 'null';
    else if (Array.isArray(part)) writeAll('[', ']', part.entries(), () => {});
    else writeAll('{', '}', entriesOf(part), (key) => write(String(key)));
  };
  const writeAll = (
    open: string,
    close: string,
    entries: Iterable<[PropertyKey, unknown]>,
    writeKey: (key: PropertyKey) => void,
  ): void => {
    text += open;
    let first = true;
    for (const [key, part] of entries) {
      if (text.length > charactersMax) return;
      if (!first) text += ',';
      first = false;
      writeKey(key);
      if (open === '{') text += ':';
      write(part);
    }
    text += close;
  };
  write(value);
  return text;
}

function* entriesOf(object: object): Generator<[string, unknown]> {
  for (const key in object) yield [key, (object as Record<string, unknown>)[key]];
}
