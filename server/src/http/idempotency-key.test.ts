import { expect, it } from 'vitest';
import { readIdempotencyKey } from './idempotency.ts';

it.each([
  [undefined, null],
  ['7', '7'],
  ['"quoted"', 'quoted'],
  ['x'.repeat(255), 'x'.repeat(255)],
  ['a,b', 'a,b'],
])('reads %j as %j', (given, key) => {
  expect(readIdempotencyKey(given)).toBe(key);
});

const PATTERN = '^[\\x21-\\x7e]+$';

it.each([
  ['', 'string_too_short', 'String should have at least 1 character', { min_length: 1 }],
  ['""', 'string_too_short', 'String should have at least 1 character', { min_length: 1 }],
  ['x'.repeat(256), 'string_too_long', 'String should have at most 255 characters', { max_length: 255 }],
  ['a b', 'string_pattern_mismatch', `String should match pattern '${PATTERN}'`, { pattern: PATTERN }],
  ['é', 'string_pattern_mismatch', `String should match pattern '${PATTERN}'`, { pattern: PATTERN }],
])('rejects %j with one issue, in the words of pydantic', (given, type, msg, ctx) => {
  expect(() => readIdempotencyKey(given, ['body', 'idempotency_key'])).toThrow(
    expect.objectContaining({
      issues: [{ type, loc: ['body', 'idempotency_key'], msg, input: given, ctx }],
    }),
  );
});
