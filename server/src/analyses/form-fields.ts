import type { ValidationIssue } from '@earshot/contract';
import { ValidationFailed } from '../errors.ts';
import { shorten } from '../shorten-input.ts';

/**
 * Fields of a form are text, but these hold structured values. A list is JSON, separated by commas, or one field per item as
 * generated clients send it; an object is JSON.
 */
const LISTS = new Set(['features', 'enrich']);
const OBJECTS = new Set(['hints', 'metadata']);

export function mayRepeat(name: string): boolean {
  return LISTS.has(name);
}

/** The values that the same request would have in a JSON body. */
export function readFormFields(fields: Readonly<Record<string, readonly string[]>>): Record<string, unknown> {
  const issues: ValidationIssue[] = [];
  const read = Object.entries(fields).map(([name, texts]) => {
    const [text = ''] = texts;
    const isJson = OBJECTS.has(name) || (LISTS.has(name) && texts.length === 1 && /^\s*\[/.test(text));
    if (!isJson && !LISTS.has(name)) return [name, text];
    if (!isJson) return [name, texts.flatMap((list) => list.split(',')).map((item) => item.trim())];
    try {
      return [name, JSON.parse(text)];
    } catch {
      const ctx = { error: 'Expecting value' };
      issues.push({
        type: 'json_invalid',
        loc: ['body', name],
        msg: 'JSON decode error',
        input: shorten(text),
        ctx,
      });
      return [name, null];
    }
  });
  if (issues.length > 0) throw new ValidationFailed(issues);
  return Object.fromEntries(read);
}
