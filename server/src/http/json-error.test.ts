import { expect, test } from 'vitest';
import { locateJsonError } from './json-error.ts';

// The expected values are those of json.loads in CPython 3.11.
test.each([
  ['', 'Expecting value', 0],
  ['  ', 'Expecting value', 2],
  ['nul', 'Expecting value', 0],
  ['-', 'Expecting value', 0],
  ['[', 'Expecting value', 1],
  ['[1,', 'Expecting value', 3],
  ['[1,]', 'Expecting value', 3],
  ['[1 2]', "Expecting ',' delimiter", 3],
  ['{', 'Expecting property name enclosed in double quotes', 1],
  ['{a:1}', 'Expecting property name enclosed in double quotes', 1],
  ['{"a":1,}', 'Expecting property name enclosed in double quotes', 7],
  ['{"a"', "Expecting ':' delimiter", 4],
  ['{"a":', 'Expecting value', 5],
  ['{"a":1 "b"', "Expecting ',' delimiter", 7],
  ['01', 'Extra data', 1],
  ['1.', 'Extra data', 1],
  ['{} x', 'Extra data', 3],
  ['"ab', 'Unterminated string starting at', 0],
  ['"ab\\', 'Unterminated string starting at', 0],
  ['"a\nb"', 'Invalid control character at', 2],
  ['"\\x"', 'Invalid \\escape', 1],
  ['"\\u12"', 'Invalid \\uXXXX escape', 2],
  ['"\\u00e9', 'Invalid \\uXXXX escape', 2],
  ['{"é😀": nope}', 'Expecting value', 7],
  [`[${'1'.repeat(401)},]`, 'Expecting value', 403],
])('%j: %s at %d', (text, message, position) => {
  expect(() => JSON.parse(text)).toThrow();
  expect(locateJsonError(text)).toEqual({ message, position });
});

test('deep nesting is reported instead of overflowing the stack', () => {
  expect(locateJsonError('['.repeat(50_000)).message).toBe('Too deeply nested');
});
