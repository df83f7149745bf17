import { z } from 'zod';
import { ERROR_STATUS, type ErrorCode } from '../error-codes.ts';

const ERROR_CODES = Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]];

/** The body of every error that is not a validation failure. Some codes add members, such as `resets_at`. */
export const Problem = z
  .looseObject({
    detail: z.string().meta({ description: 'A sentence a person can act on' }),
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
    loc: z
      .array(z.string())
      .meta({ description: 'Where: `body`, `query`, `path` or `header`, then the way down' }),
    msg: z.string(),
    input: z.unknown().meta({ description: 'What was given there' }),
    ctx: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'ValidationIssue' });
export type ValidationIssue = z.infer<typeof ValidationIssue>;

export const ValidationProblem = z.object({ detail: z.array(ValidationIssue) }).meta({
  id: 'ValidationProblem',
  examples: [{ detail: [{ type: 'missing', loc: ['body', 'email'], msg: 'Field required', input: {} }] }],
});
