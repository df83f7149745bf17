import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ValidationFailed } from '../errors.ts';
import { describeIssues, validate } from './validation.ts';

function issuesOf(schema: z.ZodType, input: unknown) {
  const parsed = schema.safeParse(input);
  return parsed.success ? [] : describeIssues(parsed.error.issues, input, 'body');
}

/** Messages of pydantic 2.13 (docs.pydantic.dev, "Validation Errors"); pydantic-422.json has recorded cases of the inclusive ones. */
it.each([
  [z.number().gt(3), 3, 'greater_than', 'Input should be greater than 3', { gt: 3 }],
  [z.number().gte(3), 2, 'greater_than_equal', 'Input should be greater than or equal to 3', { ge: 3 }],
  [z.number().lt(3), 3, 'less_than', 'Input should be less than 3', { lt: 3 }],
  [z.number().lte(3), 4, 'less_than_equal', 'Input should be less than or equal to 3', { le: 3 }],
  [z.string().min(2), 'x', 'string_too_short', 'String should have at least 2 characters', { min_length: 2 }],
  [z.string().max(1), 'xy', 'string_too_long', 'String should have at most 1 character', { max_length: 1 }],
])('describes a value out of bounds as pydantic does: %# ', (schema, input, type, msg, ctx) => {
  expect(issuesOf(schema, input)).toEqual([{ type, loc: ['body'], msg, input, ctx }]);
});

it.each([
  [
    z.array(z.number()).min(2),
    [1],
    'too_short',
    'List should have at least 2 items after validation, not 1',
    'min_length',
    2,
  ],
  [
    z.array(z.number()).max(1),
    [1, 2],
    'too_long',
    'List should have at most 1 item after validation, not 2',
    'max_length',
    1,
  ],
])('describes a list of the wrong length: %#', (schema, input, type, msg, bound, value) => {
  const ctx = { field_type: 'List', [bound]: value, actual_length: input.length };
  expect(issuesOf(schema, input)).toEqual([{ type, loc: ['body'], msg, input, ctx }]);
});

it('reports one issue per place, and at most twenty', () => {
  expect(issuesOf(z.string().min(2).regex(/y/), 'x')).toHaveLength(1);
  expect(issuesOf(z.array(z.number()), Array(21).fill('x'))).toHaveLength(20);
});

it('truncates the input', () => {
  expect(issuesOf(z.string().max(1), 'x'.repeat(300))[0]?.input).toBe(`${'x'.repeat(256)}…`);
});

describe('unknown keys', () => {
  const schema = z.strictObject({ first: z.string(), last: z.string().optional() });

  /** An input with unknown keys that counts how often their values are read. */
  function manyKeys(count: number): { input: Record<string, unknown>; readCount: () => number } {
    let readCount = 0;
    const input: Record<string, unknown> = { first: 'a' };
    for (let index = 0; index < count; index += 1) {
      Object.defineProperty(input, `k${index}`, {
        enumerable: true,
        get() {
          readCount += 1;
          return index;
        },
      });
    }
    input.last = 7;
    return { input, readCount: () => readCount };
  }

  const issuesOfKeys = (input: unknown) => {
    try {
      validate(schema, input, 'body');
    } catch (error) {
      return (error as ValidationFailed).issues;
    }
    return [];
  };

  it('cost the same, however many there are', () => {
    const few = manyKeys(1_000);
    const many = manyKeys(90_000);
    expect(issuesOfKeys(many.input)).toEqual(issuesOfKeys(few.input));
    expect(many.readCount()).toBe(few.readCount());
    // A few reads for each of the twenty that are reported; reading every key would take 90,000.
    expect(many.readCount()).toBeLessThan(2_000);
  });

  it('do not hide the faults of known keys', () => {
    const issues = issuesOfKeys(manyKeys(1_000).input);
    expect(issues).toHaveLength(20);
    expect(issues[0]).toMatchObject({ type: 'string_type', loc: ['body', 'last'] });
  });
});
