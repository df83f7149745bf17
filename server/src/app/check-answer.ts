import { Readable } from 'node:stream';
import type { Operation } from '@earshot/contract';
import type { Answer } from '../http/implement.ts';

/** Throws unless the contract declares the status of an answer, and its schema accepts the body. Tests enable this for every answer. */
export function checkAnswer(operation: Operation, answer: Answer): void {
  const spec = operation.responses[answer.status];
  if (!spec)
    throw new Error(`${operation.id} answered ${answer.status}, which its operation does not declare`);
  if (!spec.schema || answer.body instanceof Readable) return;
  const checked = spec.schema.safeParse(answer.body);
  if (checked.success) return;
  const issues = checked.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
  throw new Error(`${operation.id} answered ${answer.status} outside of its schema: ${issues}`);
}
