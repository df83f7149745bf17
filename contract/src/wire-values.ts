import { z } from 'zod';
import { explainEmailAddress, normaliseEmailAddress } from './email-address.ts';
import { explainHttpUrl } from './http-url.ts';

/**
 * The building blocks of all schemas. Invalid input gets the `type`, message and `ctx` that pydantic would give (docs/errors.md); what zod
 * cannot express travels in the `params` of a custom issue, and server/src/http/validation.ts writes it out.
 */

/** `ctx` is absent, not null, because pydantic leaves it out of an error that needs none. */
export type IssueParams = { type: string; ctx?: Record<string, unknown> };

/** Adds the issue of pydantic's custom validators, for the whole value or for the member at `path`. */
export function refuseValue(context: z.RefinementCtx, sentence: string, ...path: string[]): void {
  const params: IssueParams = { type: 'value_error', ctx: { error: {} } };
  context.addIssue({ code: 'custom', message: `Value error, ${sentence}`, path, params });
}

export const timestamp = z.string().meta({
  format: 'date-time',
  description: 'UTC, ISO 8601 with milliseconds',
  examples: ['2026-01-31T09:30:00.000Z'],
});

/** Addresses in a response: not validated again, since they were validated as input. */
export const emailText = z.string().meta({ format: 'email' });
export const urlText = z.string().meta({ format: 'uri' });

export function identifier(prefix: string) {
  return z.string().meta({
    pattern: idPattern(prefix).source,
    description: `Identifier with the prefix \`${prefix}_\``,
    examples: [`${prefix}_01k0f8yq3m7t9w2x4z6b8c0d1e`],
  });
}

/** Accepts any string as an id in a path: a malformed id gets the same 404 as one that does not exist. */
export function pathIds<const N extends string>(...names: N[]) {
  const shape = Object.fromEntries(names.map((name) => [name, z.string()])) as Record<N, z.ZodString>;
  return z.object(shape);
}

/**
 * JSON Schema keywords for the document: exactly one of two members is given, and null counts as absent. `oneOf` would mean the same, but
 * client generators turn it into two types without the other members.
 */
export function exactlyOne(one: string, other: string) {
  return { ...atMostOne(one, other), else: given(other) };
}

/** JSON Schema keywords for the document: not both of two members are given. */
export function atMostOne(one: string, other: string) {
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
  return { if: given(one), then: { properties: { [other]: { type: 'null' } } } };
}

/** JSON Schema keywords for the document: `needed` is given if `member` has one of these values, and only then. */
export function goesWith(member: string, values: readonly string[], needed: string) {
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
  return { ...onlyWith(member, values, needed), then: given(needed) };
}

function given(name: string) {
  return { required: [name], properties: { [name]: { not: { type: 'null' } } } };
}

/** JSON Schema keywords for the document: `other` may be given only if `member` has one of these values. */
export function onlyWith(member: string, values: readonly string[], other: string) {
  return {
    if: { properties: { [member]: { enum: values } } },
    else: { properties: { [other]: { type: 'null' } } },
  };
}

/** "C minor", "Cm", "C:min", "5A", "10m": notations that `readKeyName` of the exports understands too. */
export const KEY_NAME = '([A-Ga-g][#b♯♭]?[ :]?(major|maj|minor|min|m)?|(1[0-2]|[1-9])[ABabmd])';

export const keyName = matching(
  `^${KEY_NAME}$`,
  'it is no key: give one as "C minor", "F#m", "Bb:maj", or by its number, "5A" or "10m"',
);

/** A trimmed text that matches the pattern, which the document shows. `sentence` is the error for any other text. */
export function matching(pattern: string, sentence: string) {
  const accepted = new RegExp(pattern);
  return z
    .string()
    .trim()
    .refine((value) => accepted.test(value), sentence)
    .meta({ pattern });
}

export const zeroToOne = z.number().min(0).max(1);
/** A calibrated probability (docs/glossary.md), unlike other values from 0 to 1. */
export const confidence = z.number().min(0).max(1);
export const count = z.int().min(0);
/** A time in the decoded audio, from its start. */
export const seconds = z.number().min(0);

/** The limit of pydantic's HttpUrl. */
const URL_CHARACTERS_MAX = 2083;

/** An http or https URL, kept as it was sent. Whether we may call it is the guarded client's decision. */
export function httpUrl() {
  return z
    .string({ error: (issue) => (issue.input === undefined ? undefined : { message: 'url_type' }) })
    .superRefine((value, context) => {
      const problem =
        value.length > URL_CHARACTERS_MAX
          ? {
              message: `URL should have at most ${URL_CHARACTERS_MAX} characters`,
              params: { type: 'url_too_long', ctx: { max_length: URL_CHARACTERS_MAX } },
            }
          : explainHttpUrl(value);
      if (problem) context.addIssue({ code: 'custom', ...problem });
    })
    .meta({ format: 'uri', maxLength: URL_CHARACTERS_MAX, examples: ['https://example.com/song.mp3'] });
}

export function emailAddress() {
  return z
    .string()
    .superRefine((value, context) => {
      const reason = explainEmailAddress(value);
      if (reason === null) return;
      const params: IssueParams = { type: 'value_error', ctx: { reason } };
      context.addIssue({ code: 'custom', message: `value is not a valid email address: ${reason}`, params });
    })
    .overwrite(normaliseEmailAddress)
    .meta({ format: 'email', maxLength: 254, examples: ['ada@example.com'] });
}

/** Free text: trimmed, and not empty. */
export function label(charactersMax: number) {
  return z.string().trim().min(1).max(charactersMax).meta({ pattern: '\\S' });
}

export function wireInteger(bounds: { ge: number; le: number }) {
  return z.preprocess(parseInteger, z.int().min(bounds.ge).max(bounds.le));
}

export function wireNumber(bounds: { ge: number; le: number }) {
  return z.preprocess(parseNumber, z.number().min(bounds.ge).max(bounds.le));
}

export function wireBoolean() {
  return z.preprocess(parseBoolean, z.boolean());
}

/** A query parameter that may be given several times. A single value becomes a list of one. */
export function repeatable<S extends z.ZodType>(item: S, itemsMax: number) {
  return z.preprocess(
    (value) => (value === undefined || Array.isArray(value) ? value : [value]),
    z.array(item).min(1).max(itemsMax),
  );
}

/** `?as_heard=` of every operation that returns a result. */
export const asHeard = wireBoolean()
  .optional()
  .meta({ description: 'Return what the engine detected, without corrections', default: false });

/** The headers of every operation that can wait for a job to finish. */
export const preferHeader = z.object({
  prefer: z
    .string()
    .max(100)
    .optional()
    .meta({ description: '`wait=30` delays the response until the job finishes, for at most 30 seconds' }),
});

/** An id (server/src/platform/ids.ts): the prefix and 26 characters of Crockford's base 32. */
export function idPattern(prefix: string): RegExp {
  return new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`);
}

/** The cursor of a page. Malformed ones are refused: read as "first page", they would send a client round in circles. */
export function cursor(prefix: string) {
  return z
    .string()
    .regex(idPattern(prefix))
    .optional()
    .meta({
      description: `The id (\`${prefix}_…\`) after which the page starts: the last one of the previous page`,
    });
}

export const pageLimit = wireInteger({ ge: 1, le: 100 })
  .optional()
  .meta({ description: 'Page size', default: 50 })
  .transform((value) => value ?? 50);

/** `?limit=` and `?after=` of every list. The Link header of the response names the next page. */
export function pageQuery<const P extends string>(prefix: P) {
  return z.object({ limit: pageLimit, after: cursor(prefix) });
}

type Refusal = { addIssue: (issue: { code: 'custom'; message: string; params: IssueParams }) => void };

function refuse(context: Refusal, type: string, message: string) {
  context.addIssue({ code: 'custom', message, params: { type } });
  return z.NEVER;
}

function parseInteger(value: unknown, context: Refusal): unknown {
  if (typeof value === 'string') {
    if (!/^\s*[+-]?\d+(\.0+)?\s*$/.test(value)) {
      return refuse(
        context,
        'int_parsing',
        'Input should be a valid integer, unable to parse string as an integer',
      );
    }
    return Number(value);
  }
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'object') return refuse(context, 'int_type', 'Input should be a valid integer');
  if (typeof value === 'number' && Number.isFinite(value) && !Number.isInteger(value)) {
    return refuse(
      context,
      'int_from_float',
      'Input should be a valid integer, got a number with a fractional part',
    );
  }
  return value;
}

function parseNumber(value: unknown, context: Refusal): unknown {
  if (typeof value === 'string' && !/^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value)) {
    return refuse(
      context,
      'float_parsing',
      'Input should be a valid number, unable to parse string as a number',
    );
  }
  const number = typeof value === 'string' ? Number(value) : value;
  if (typeof number === 'number' && !Number.isFinite(number)) {
    return refuse(context, 'finite_number', 'Input should be a finite number');
  }
  return number;
}

const TRUE_WORDS = new Set(['true', 't', 'yes', 'y', 'on', '1']);
const FALSE_WORDS = new Set(['false', 'f', 'no', 'n', 'off', '0']);

function parseBoolean(value: unknown, context: Refusal): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  const word = String(value).toLowerCase();
  if (TRUE_WORDS.has(word)) return true;
  if (FALSE_WORDS.has(word)) return false;
  return refuse(context, 'bool_parsing', 'Input should be a valid boolean, unable to interpret input');
}
