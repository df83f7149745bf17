import { expect, it } from 'vitest';
import { z } from 'zod';
import { describeIssues } from './validation.ts';

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
