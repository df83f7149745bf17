import { truncateText } from './platform/truncate-text.ts';

/** Enough of an input for a person to see the fault. */
const TEXT_CODE_UNITS_MAX = 256;
const JSON_CODE_UNITS_MAX = 1024;

/** The input as it is repeated in an answer; a long one is replaced by the beginning of its text or JSON. */
export function shorten(input: unknown): unknown {
  const isText = typeof input === 'string';
  if (!isText && (typeof input !== 'object' || input === null)) return input;
  const text = isText ? input : startOfJson(input, JSON_CODE_UNITS_MAX);
  const isLong = text.length > (isText ? TEXT_CODE_UNITS_MAX : JSON_CODE_UNITS_MAX);
  return isLong ? `${truncateText(text, TEXT_CODE_UNITS_MAX)}…` : input;
}

/** Like JSON.stringify, but stops once the text is longer than `codeUnitsMax`, so that only the beginning of a large value is read. */
function startOfJson(value: object, codeUnitsMax: number): string {
  let text = '';
  for (const token of tokensOf(value, codeUnitsMax)) {
    text += token;
    if (text.length > codeUnitsMax) break;
  }
  return text;
}

function* tokensOf(value: unknown, codeUnitsMax: number): Generator<string> {
  if (typeof value === 'string') yield JSON.stringify(truncateText(value, codeUnitsMax));
  else if (typeof value !== 'object' || value === null) yield JSON.stringify(value);
  else {
    const isList = Array.isArray(value);
    yield isList ? '[' : '{';
    let separator = '';
    for (const [key, part] of isList ? value.entries() : entriesOf(value)) {
      yield separator;
      if (!isList) yield `${JSON.stringify(truncateText(String(key), codeUnitsMax))}:`;
      yield* tokensOf(part, codeUnitsMax);
      separator = ',';
    }
    yield isList ? ']' : '}';
  }
}

/** Like Object.entries, but reads a value only when it is asked for. */
function* entriesOf(object: object): Generator<[string, unknown]> {
  for (const key in object) yield [key, (object as Record<string, unknown>)[key]];
}
