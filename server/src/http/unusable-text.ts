import type { ValidationIssue } from '@earshot/contract';
import { valueError } from '../errors.ts';

/** Far above the few levels that any schema has. */
const DEPTH_MAX = 64;

type Visit = { value: unknown; loc: readonly string[] };

/**
 * Finds a fault that no schema would: text that PostgreSQL cannot store (NUL, half a surrogate pair), a key named __proto__, or
 * extreme nesting. Null when there is none. Not recursive, so that nesting cannot overflow the stack.
 */
export function findUnusableText(root: unknown, place: string): ValidationIssue | null {
  const stack: Visit[] = [{ value: root, loc: [place] }];
  for (let visit = stack.pop(); visit !== undefined; visit = stack.pop()) {
    const { value, loc } = visit;
    if (typeof value === 'string') {
      const issue = explainText(value, loc);
      if (issue) return issue;
    }
    if (typeof value !== 'object' || value === null) continue;
    // The start of the path is enough to find the value.
    if (loc.length > DEPTH_MAX) return valueError(loc.slice(0, 4), 'The input is nested too deeply', null);
    for (const [key, child] of Object.entries(value)) {
      const issue = explainKey(key, loc);
      if (issue) return issue;
      if (typeof child === 'string' || (typeof child === 'object' && child !== null)) {
        stack.push({ value: child, loc: [...loc, key] });
      }
    }
  }
  return null;
}

function explainKey(key: string, loc: readonly string[]): ValidationIssue | null {
  if (key === '__proto__') {
    return {
      type: 'extra_forbidden',
      loc: [...loc, key],
      msg: 'Extra inputs are not permitted',
      input: null,
    };
  }
  return explainText(key, [...loc, '[key]']);
}

function explainText(text: string, loc: readonly string[]): ValidationIssue | null {
  if (text.includes('\0')) return valueError(loc, 'Text cannot hold the NUL character', 'NUL');
  if (/\p{Surrogate}/u.test(text)) {
    const msg = 'Input should be a valid string, unable to parse raw data as a unicode string';
    return { type: 'string_unicode', loc: [...loc], msg, input: null };
  }
  return null;
}
