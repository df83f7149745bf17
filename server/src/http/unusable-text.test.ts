import { expect, it } from 'vitest';
import { findUnusableText } from './unusable-text.ts';

it.each([
  ['a NUL in a text', { a: ['x', 'y\0'] }, 'value_error', ['body', 'a', '1']],
  ['a NUL in a key', { 'a\0': 1 }, 'value_error', ['body', '[key]']],
  ['half a surrogate pair', { a: '\ud83d' }, 'string_unicode', ['body', 'a']],
  [
    'a key that reaches the prototype',
    JSON.parse('{"a":{"__proto__":1}}'),
    'extra_forbidden',
    ['body', 'a', '__proto__'],
  ],
])('finds %s', (_, input, type, loc) => {
  expect(findUnusableText(input, 'body')).toMatchObject({ type, loc });
});

it('accepts whole surrogate pairs, and nesting up to 64 levels', () => {
  const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}1${']'.repeat(depth)}`);
  expect(findUnusableText({ a: '😀', b: [null, true, 1.5] }, 'body')).toBeNull();
  expect(findUnusableText(nested(64), 'body')).toBeNull();
  expect(findUnusableText(nested(65), 'body')).toMatchObject({
    msg: expect.stringContaining('nested too deeply'),
  });
});
