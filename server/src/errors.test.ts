import { expect, it } from 'vitest';
import { valueError } from './errors.ts';

it('a value that violates a rule is reported in the form of pydantic', () => {
  expect(JSON.stringify(valueError(['body', 'items', '2'], 'a song is in a collection once', 'job_1'))).toBe(
    '{"type":"value_error","loc":["body","items","2"],"msg":"Value error, a song is in a collection once","input":"job_1","ctx":{"error":{}}}',
  );
});
