import type { ValidationIssue } from '@earshot/contract';
import { ValidationFailed } from '../errors.ts';

/** Fields of a form are text. These hold more: lists as JSON or with commas between, objects as JSON. */
const LISTS = new Set(['features', 'enrich']);
const OBJECTS = new Set(['hints', 'metadata']);

const INPUT_CHARACTERS_MAX = 256;

/** The values that the same request would have as JSON. */
export function readFormFields(fields: Readonly<Record<string, string>>): Record<string, unknown> {
  const issues: ValidationIssue[] = [];
  const read = Object.entries(fields).map(([name, text]) => {
    const isJson = OBJECTS.has(name) || (LISTS.has(name) && /^\s*\[/.test(text));
    if (!isJson) return [name, LISTS.has(name) ? text.split(',').map((word) => word.trim()) : text];
    try {
      return [name, JSON.parse(text)];
    } catch {
      const ctx = { error: 'Expecting value' };
      issues.push({
        type: 'json_invalid',
        loc: ['body', name],
        msg: 'JSON decode error',
        input: text.slice(0, INPUT_CHARACTERS_MAX),
        ctx,
      });
      return [name, null];
    }
  });
  if (issues.length > 0) throw new ValidationFailed(issues);
  return Object.fromEntries(read);
}
