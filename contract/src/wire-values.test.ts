import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { keyName, label, repeatable, wireBoolean, wireInteger, wireNumber } from './wire-values.ts';

/**
 * The value that is read, or the type of the error. Values and types are those of pydantic 2.13, against which each of these was run; for
 * bounds and for null they are the types of zod, which the server translates.
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

it('a repeatable parameter is a list, even if it is given once', () => {
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
  ['12A', true],
  ['10m', true],
  ['13A', false],
  ['H', false],
  ['C minor!', false],
])('%j is a key: %j', (text, isKey) => {
  expect(keyName.safeParse(text).success).toBe(isKey);
});
