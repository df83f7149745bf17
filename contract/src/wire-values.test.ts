import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import {
  httpUrl,
  keyName,
  label,
  pageQuery,
  repeatable,
  wireBoolean,
  wireInteger,
  wireNumber,
} from './wire-values.ts';

/**
 * The parsed value, or the type of the error. Values and types were obtained by running pydantic 2.13 on each input; `too_small`,
 * `too_big` and `invalid_type` are zod's, which the server translates.
 */
function read(schema: z.ZodType, value: unknown): unknown {
  const { data, error } = schema.safeParse(value);
  const [issue] = error?.issues ?? [];
  if (!issue) return data;
  return issue.code === 'custom' ? issue.params?.type : issue.code;
}

describe('an integer', () => {
  it.each<[unknown, unknown]>([
    [7, 7],
    ['7', 7],
    [' +7 ', 7],
    ['7.0', 7],
    [true, 1],
    ['7.5', 'int_parsing'],
    ['seven', 'int_parsing'],
    ['', 'int_parsing'],
    ['0x7', 'int_parsing'],
    [7.5, 'int_from_float'],
    [null, 'int_type'],
    [[7], 'int_type'],
    [0, 'too_small'],
    ['11', 'too_big'],
  ])('%j is read as %j', (value, expected) => {
    expect(read(wireInteger({ ge: 1, le: 10 }), value)).toBe(expected);
  });
});

describe('a number', () => {
  it.each<[unknown, unknown]>([
    [0.5, 0.5],
    ['0.5', 0.5],
    ['.5', 0.5],
    ['5e-1', 0.5],
    ['half', 'float_parsing'],
    ['', 'float_parsing'],
    ['1e999', 'finite_number'],
    [Number.NaN, 'finite_number'],
    ['2', 'too_big'],
  ])('%j is read as %j', (value, expected) => {
    expect(read(wireNumber({ ge: 0, le: 1 }), value)).toBe(expected);
  });
});

describe('a boolean', () => {
  it.each<[unknown, unknown]>([
    [true, true],
    ['on', true],
    ['No', false],
    [1, true],
    [0, false],
    [2, 'bool_parsing'],
    ['', 'bool_parsing'],
    [null, 'invalid_type'],
  ])('%j is read as %j', (value, expected) => {
    expect(read(wireBoolean(), value)).toBe(expected);
  });
});

it('a repeatable parameter becomes a list even if it is given once', () => {
  const tags = repeatable(label(5), 2);
  expect(tags.parse('  a ')).toEqual(['a']);
  expect(tags.parse(['a', 'b'])).toEqual(['a', 'b']);
  expect(tags.safeParse(['a', 'b', 'c']).success).toBe(false);
  expect(tags.safeParse(' ').success).toBe(false);
});

it.each([
  ['C minor', true],
  ['f#m', true],
  ['Bb:maj', true],
  ['F♯ minor', true],
  ['E♭m', true],
  ['12A', true],
  ['10m', true],
  ['13A', false],
  ['H', false],
  ['C minor!', false],
])('%j is a key: %j', (text, isKey) => {
  expect(keyName.safeParse(text).success).toBe(isKey);
});

it.each([
  ['key_01k0f8yq3m7t9w2x4z6b8c0d1e', true],
  ['usr_01k0f8yq3m7t9w2x4z6b8c0d1e', false],
  ['key_81k0f8yq3m7t9w2x4z6b8c0d1e', false],
  ['key_01k0f8yq3m7t9w2x4z6b8c0d1', false],
  ['key_01k0f8yq3m7t9w2x4z6b8c0d1u', false],
  ['', false],
])('%j is a cursor of API keys: %j', (after, expected) => {
  expect(pageQuery('key').safeParse({ after }).success).toBe(expected);
});

it('a page has 50 items by default, and 1 to 100', () => {
  const limitOf = (limit?: string) => pageQuery('key').safeParse({ limit }).data?.limit;
  expect([limitOf(), limitOf('1'), limitOf('100'), limitOf('0'), limitOf('101')]).toEqual([
    50,
    1,
    100,
    undefined,
    undefined,
  ]);
});

it('a URL is kept as it was sent, up to 2083 characters', () => {
  const ofLength = (characters: number) => 'https://example.com/'.padEnd(characters, 'a');
  expect(read(httpUrl(), 'HTTPS://Example.com')).toBe('HTTPS://Example.com');
  expect(read(httpUrl(), ofLength(2083))).toBe(ofLength(2083));
  expect(read(httpUrl(), ofLength(2084))).toBe('url_too_long');
});
