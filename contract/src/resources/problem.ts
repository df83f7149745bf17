import { z } from 'zod';
import { ERROR_STATUS, type ErrorCode } from '../error-codes.ts';

const ERROR_CODES = Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]];

/**
 * The body of every error but a validation failure: our own shape, not the problem details of RFC 9457. Some codes add members, such as
 * `resets_at`.
 */
export const Problem = z
  .looseObject({
    detail: z.string().meta({ description: 'A sentence that says what to do about it' }),
    code: z.enum(ERROR_CODES),
    request_id: z.string(),
  })
  .meta({
    id: 'Problem',
    examples: [
      {
        detail: 'There is nothing here that you can see. Check the id and the workspace.',
        code: 'not_found',
        request_id: 'req_5Q0ZrC1m',
      },
    ],
  });

export const ValidationIssue = z
  .object({
    type: z.string(),
    loc: z.array(z.string()).meta({
      description:
        'The path to the value: `body`, `query`, `path` or `header`, then member names and indexes',
    }),
    msg: z.string(),
    input: z
      .unknown()
      .meta({ description: 'The value at `loc`; for a missing member, the object that lacks it' }),
    // Absent, not null, because pydantic leaves it out of an error that needs none.
    ctx: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'ValidationIssue' });
export type ValidationIssue = z.infer<typeof ValidationIssue>;

export const ValidationProblem = z.object({ detail: z.array(ValidationIssue) }).meta({
  id: 'ValidationProblem',
  examples: [{ detail: [{ type: 'missing', loc: ['body', 'email'], msg: 'Field required', input: {} }] }],
});
