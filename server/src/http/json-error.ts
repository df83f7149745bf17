/** The position counts code points, as in Python, not UTF-16 code units. */
type JsonError = { message: string; position: number };

/**
 * Finds the first syntax error of a text that JSON.parse has rejected, with the message and position of CPython 3.11's json module, which
 * FastAPI passes on as `ctx.error`. Deviations: NaN and Infinity are errors, and deep nesting has a message instead of a RecursionError.
 */
export function locateJsonError(text: string): JsonError {
  const characters = Array.from(text);
  try {
    const end = skipSpace(characters, scanValue(characters, skipSpace(characters, 0), 0));
    return { message: 'Extra data', position: end };
  } catch (error) {
    if (error instanceof JsonFault) return { message: error.message, position: error.position };
    throw error;
  }
}

class JsonFault extends Error {
  readonly position: number;
  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}

/** Deeper than any real document, and shallow enough for the stack. */
const DEPTH_MAX = 1000;
const LITERALS = ['null', 'true', 'false'];
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/;

function scanValue(text: string[], start: number, depth: number): number {
  if (depth > DEPTH_MAX) throw new JsonFault('Too deeply nested', start);
  const first = text[start];
  if (first === '"') return scanString(text, start + 1);
  if (first === '{') return scanObject(text, start + 1, depth);
  if (first === '[') return scanArray(text, start + 1, depth);
  const ahead = wordAt(text, start);
  const literal = LITERALS.find((word) => ahead.startsWith(word)) ?? NUMBER.exec(ahead)?.[0];
  if (literal === undefined) throw new JsonFault('Expecting value', start);
  return start + literal.length;
}

/** The letters, digits and signs from `start` on. */
function wordAt(text: string[], start: number): string {
  let end = start;
  while (/^[-+.\w]$/.test(text[end] ?? '')) end += 1;
  return text.slice(start, end).join('');
}

function scanObject(text: string[], start: number, depth: number): number {
  let at = skipSpace(text, start);
  if (text[at] === '}') return at + 1;
  for (;;) {
    if (text[at] !== '"') throw new JsonFault('Expecting property name enclosed in double quotes', at);
    at = skipSpace(text, scanString(text, at + 1));
    if (text[at] !== ':') throw new JsonFault("Expecting ':' delimiter", at);
    at = skipSpace(text, scanValue(text, skipSpace(text, at + 1), depth + 1));
    if (text[at] === '}') return at + 1;
    if (text[at] !== ',') throw new JsonFault("Expecting ',' delimiter", at);
    at = skipSpace(text, at + 1);
  }
}

function scanArray(text: string[], start: number, depth: number): number {
  let at = skipSpace(text, start);
  if (text[at] === ']') return at + 1;
  for (;;) {
    at = skipSpace(text, scanValue(text, at, depth + 1));
    if (text[at] === ']') return at + 1;
    if (text[at] !== ',') throw new JsonFault("Expecting ',' delimiter", at);
    at = skipSpace(text, at + 1);
  }
}

/** `start` is the character after the opening quote. */
function scanString(text: string[], start: number): number {
  for (let at = start; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === '"') return at + 1;
    if (character < ' ') throw new JsonFault('Invalid control character at', at);
    if (character === '\\') at = scanEscape(text, at + 1, start);
  }
  throw new JsonFault('Unterminated string starting at', start - 1);
}

/** `at` is the character after the backslash; returns the escape's last character. */
function scanEscape(text: string[], at: number, start: number): number {
  const kind = text[at];
  if (kind === undefined) throw new JsonFault('Unterminated string starting at', start - 1);
  if (kind !== 'u') {
    if ('"\\/bfnrt'.includes(kind)) return at;
    throw new JsonFault('Invalid \\escape', at - 1);
  }
  const digits = text.slice(at + 1, at + 5);
  const isHex = digits.length === 4 && digits.every((digit) => /^[0-9a-fA-F]$/.test(digit));
  // CPython gives the same message when no character follows the digits.
  if (!isHex || at + 5 >= text.length) throw new JsonFault('Invalid \\uXXXX escape', at);
  return at + 4;
}

function skipSpace(text: string[], start: number): number {
  let at = start;
  while (text[at] === ' ' || text[at] === '\t' || text[at] === '\n' || text[at] === '\r') at += 1;
  return at;
}
