import type { IssueParams, ValidationIssue } from '@earshot/contract';
import type { z } from 'zod';
import { ValidationFailed, valueErrorParts } from '../errors.ts';
import { shorten } from '../shorten-input.ts';
import { findUnusableText } from './unusable-text.ts';

export type Place = 'body' | 'query' | 'path' | 'header';

/** An honest mistake causes few issues, and a hostile body must not get a long answer. */
const ISSUES_MAX = 20;

export function validate<S extends z.ZodType>(schema: S, input: unknown, place: Place): z.output<S> {
  const bounded = withFewUnknownKeys(schema, input);
  const unusable = findUnusableText(bounded, place);
  if (unusable) throw new ValidationFailed([unusable]);
  const parsed = schema.safeParse(bounded);
  if (parsed.success) return parsed.data;
  throw new ValidationFailed(describeIssues(parsed.error.issues, bounded, place));
}

/**
 * The input without the unknown keys beyond the first twenty: they would not be reported, and checking them costs us far more than
 * sending them costs the client. Returned unchanged where unknown keys are allowed, or if it is not an object.
 */
function withFewUnknownKeys(schema: z.ZodType, input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const { shape, catchall } = schema.def as { shape?: Record<string, unknown>; catchall?: z.ZodType };
  if (shape === undefined || catchall?.def.type !== 'never') return input;
  const given = input as Record<string, unknown>;
  const kept: string[] = [];
  let unknownCount = 0;
  for (const key in given) {
    const isKnown = Object.hasOwn(shape, key);
    if (!isKnown) unknownCount += 1;
    if (isKnown || unknownCount <= ISSUES_MAX) kept.push(key);
    // The remaining known keys are added by name below, without reading the remaining unknown ones.
    if (unknownCount > ISSUES_MAX) break;
  }
  if (unknownCount <= ISSUES_MAX) return input;
  for (const key of Object.keys(shape)) if (Object.hasOwn(given, key) && !kept.includes(key)) kept.push(key);
  return Object.fromEntries(kept.map((key) => [key, given[key]]));
}

/**
 * Turns zod's issues into the 422 body of FastAPI and pydantic: their types, messages and contexts, except that every part of `loc` is
 * a string. There is one issue per place, since pydantic stops at the first fault of a value.
 */
export function describeIssues(
  issues: readonly z.core.$ZodIssue[],
  input: unknown,
  place: Place,
): ValidationIssue[] {
  const described = new Map<string, ValidationIssue>();
  for (const issue of issues.flatMap(separateKeys)) {
    const loc = [place, ...issue.path.map(String), ...(issue.code === 'invalid_key' ? ['[key]'] : [])];
    const id = JSON.stringify(loc);
    if (described.has(id) || described.size >= ISSUES_MAX) continue;
    described.set(id, describeIssue(issue, loc, input, place));
  }
  return [...described.values()];
}

type Classified = { type: string; msg: string; ctx?: Record<string, unknown> };
type Issue = z.core.$ZodIssue;

/** Splits an issue about unknown keys into one for each key. */
function separateKeys(issue: Issue): Issue[] {
  if (issue.code !== 'unrecognized_keys') return [issue];
  return issue.keys
    .slice(0, ISSUES_MAX)
    .map((key) => ({ ...issue, keys: [key], path: [...issue.path, key] }));
}

function describeIssue(issue: Issue, loc: string[], root: unknown, place: Place): ValidationIssue {
  const parent = valueAt(root, issue.path.slice(0, -1));
  const input = issue.code === 'invalid_key' ? issue.path.at(-1) : valueAt(root, issue.path);
  if (input === undefined && issue.path.length > 0) {
    const given = place === 'body' ? shorten(parent) : null;
    return { type: 'missing', loc, msg: 'Field required', input: given };
  }
  const { type, msg, ctx } = classifyIssue(issue, input);
  return { type, loc, msg, input: shorten(input ?? null), ...(ctx ? { ctx } : {}) };
}

function classifyIssue(issue: Issue, input: unknown): Classified {
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(issue.expected, issue.message);
    case 'unrecognized_keys':
      return { type: 'extra_forbidden', msg: 'Extra inputs are not permitted' };
    case 'invalid_value':
      return wrongValue(issue.values.map((value) => `'${String(value)}'`));
    case 'too_small':
      return outOfBound(
        issue.origin,
        { name: 'min', value: Number(issue.minimum), inclusive: issue.inclusive !== false },
        input,
      );
    case 'too_big':
      return outOfBound(
        issue.origin,
        { name: 'max', value: Number(issue.maximum), inclusive: issue.inclusive !== false },
        input,
      );
    case 'invalid_format': {
      const pattern = (issue.pattern ?? '').replace(/^\/|\/[a-z]*$/g, '');
      return {
        type: 'string_pattern_mismatch',
        msg: `String should match pattern '${pattern}'`,
        ctx: { pattern },
      };
    }
    case 'invalid_key': {
      const first = issue.issues[0];
      return first ? classifyIssue(first, issue.path.at(-1)) : valueErrorParts('Invalid key');
    }
    case 'custom':
      return customIssue(issue);
    default:
      return valueErrorParts(issue.message);
  }
}

/** Custom issues of our schemas carry their type and context in `params` (contract/src/wire-values.ts). */
function customIssue(issue: Extract<Issue, { code: 'custom' }>): Classified {
  const params = issue.params as IssueParams | undefined;
  return params ? { type: params.type, msg: issue.message, ctx: params.ctx } : valueErrorParts(issue.message);
}

const WRONG_TYPES: Record<string, Classified> = {
  string: { type: 'string_type', msg: 'Input should be a valid string' },
  number: { type: 'float_type', msg: 'Input should be a valid number' },
  int: { type: 'int_type', msg: 'Input should be a valid integer' },
  boolean: { type: 'bool_type', msg: 'Input should be a valid boolean' },
  array: { type: 'list_type', msg: 'Input should be a valid list' },
  record: { type: 'dict_type', msg: 'Input should be a valid dictionary' },
  object: {
    type: 'model_attributes_type',
    msg: 'Input should be a valid dictionary or object to extract fields from',
  },
};

function wrongType(expected: string, message: string): Classified {
  if (message === 'url_type') return { type: 'url_type', msg: 'URL input should be a string or URL' };
  return WRONG_TYPES[expected] ?? valueErrorParts(message);
}

function wrongValue(quoted: string[]): Classified {
  const last = quoted.at(-1) ?? '';
  const expected = quoted.length > 1 ? `${quoted.slice(0, -1).join(', ')} or ${last}` : last;
  const type = quoted.length > 1 ? 'enum' : 'literal_error';
  return { type, msg: `Input should be ${expected}`, ctx: { expected } };
}

type Bound = { name: 'min' | 'max'; value: number; inclusive: boolean };

function outOfBound(origin: string, { name, value, inclusive }: Bound, input: unknown): Classified {
  const [atLeast, short] = name === 'min' ? ['at least', 'short'] : ['at most', 'long'];
  if (origin === 'string') {
    const msg = `String should have ${atLeast} ${counted(value, 'character')}`;
    return { type: `string_too_${short}`, msg, ctx: { [`${name}_length`]: value } };
  }
  if (origin === 'array') {
    const { length: actual } = input as unknown[];
    const msg = `List should have ${atLeast} ${counted(value, 'item')} after validation, not ${actual}`;
    const ctx = { field_type: 'List', [`${name}_length`]: value, actual_length: actual };
    return { type: `too_${short}`, msg, ctx };
  }
  const [comparison, inclusiveKey, exclusiveKey] =
    name === 'min' ? ['greater', 'ge', 'gt'] : ['less', 'le', 'lt'];
  return inclusive
    ? {
        type: `${comparison}_than_equal`,
        msg: `Input should be ${comparison} than or equal to ${value}`,
        ctx: { [inclusiveKey]: value },
      }
    : {
        type: `${comparison}_than`,
        msg: `Input should be ${comparison} than ${value}`,
        ctx: { [exclusiveKey]: value },
      };
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const key of path) {
    // A repeatable parameter that was given once is a string, and item 0 of the list is the string itself.
    if (key === 0 && typeof value === 'string') continue;
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}
