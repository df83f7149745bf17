/** The responses of an operation in the document: its own, and the errors that follow from its policy and input. */

import { ERROR_STATUS, type ErrorCode } from '../error-codes.ts';
import { ERROR_MEANINGS } from '../error-meanings.ts';
import type { Operation, ResponseSpec } from '../operation.ts';
import { errorCodesByStatus, validatesInput } from '../operation-errors.ts';
import { Problem, ValidationProblem } from '../resources/problem.ts';
import type { JsonSchema, SchemaComponents } from './schema-components.ts';

/** The responses that operations share, by name, such as that of a set of error codes with one status. */
export type Responses = Map<string, JsonSchema>;

const text = { type: 'string' };
export const HEADERS = {
  'X-Request-Id': {
    description: 'Identifies this request in our logs; yours, if you sent a well-formed one',
    schema: text,
  },
  RateLimit: {
    description: 'Requests left and seconds until the limit resets: `"requests";r=2999;t=60`',
    schema: text,
  },
  'RateLimit-Policy': {
    description: 'The limit and its window in seconds: `"requests";q=3000;w=60`',
    schema: text,
  },
  ETag: {
    description: 'Send it as `If-None-Match` to get 304 while the response is unchanged',
    schema: text,
  },
  'Idempotent-Replayed': {
    description: '`true` if this is the stored response to an earlier request with the same key',
    schema: text,
  },
  'Retry-After': { description: 'Seconds to wait before the next request', schema: text },
  'WWW-Authenticate': { description: 'How to authenticate', schema: text },
};

type HeaderName = keyof typeof HEADERS;

function refersTo(...names: HeaderName[]): Record<string, JsonSchema> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export function describeResponses(
  operation: Operation,
  components: SchemaComponents,
  shared: Responses,
): JsonSchema {
  const described: Record<string, JsonSchema> = {};
  const byStatus = errorCodesByStatus(operation);
  if (validatesInput(operation)) byStatus.set(422, []);
  for (const [status, codes] of byStatus) {
    const problem = status === 422 ? describeInvalidInput(components) : describeProblem(codes, components);
    const name = nameResponse(status, codes);
    if (name) shared.set(name, problem);
    described[status] = name ? { $ref: `#/components/responses/${name}` } : problem;
  }
  // An operation's own response replaces the common one: the 404 of a shared report, for example, is a page.
  const canBeUnchanged = hasContentTag(operation);
  for (const [status, spec] of Object.entries(operation.responses)) {
    const hasTag = canBeUnchanged && Number(status) === 200;
    described[status] = describeResponse(spec, components, commonHeaders(operation, hasTag));
  }
  if (canBeUnchanged) {
    shared.set('NotModified', {
      description: 'Unchanged since the response named by `If-None-Match`',
      headers: refersTo('X-Request-Id', 'ETag'),
    });
    described[304] = { $ref: '#/components/responses/NotModified' };
  }
  return described;
}

/** The headers common to all responses that are not errors. */
function commonHeaders(
  { surface, idempotent }: Operation,
  hasContentTag: boolean,
): Record<string, JsonSchema> {
  return refersTo(
    'X-Request-Id',
    ...(surface === 'operational' ? [] : (['RateLimit', 'RateLimit-Policy'] as const)),
    ...(hasContentTag ? (['ETag'] as const) : []),
    ...(idempotent ? (['Idempotent-Replayed'] as const) : []),
  );
}

/** Whether the ETag of its 200 names the content. One that the operation describes names a version, to be sent as If-Match. */
function hasContentTag({ method, responses }: Operation): boolean {
  const answer = responses[200];
  return method === 'GET' && answer !== undefined && !answer.streamed && answer.headers?.ETag === undefined;
}

const SHARED_SETS: Record<string, string> = {
  'email_not_verified insufficient_role insufficient_scope': 'Forbidden',
  'email_not_verified insufficient_role insufficient_scope cross_origin_cookie': 'ForbiddenChange',
  'idempotency_key_reused idempotency_in_progress': 'IdempotencyConflict',
};

/** Null for a set of codes without a name, which is described in place. */
function nameResponse(status: number, codes: readonly ErrorCode[]): string | null {
  if (status === 422) return 'InvalidInput';
  if (codes.length > 1) return SHARED_SETS[codes.join(' ')] ?? null;
  const words = codes[0]?.split('_') ?? [];
  return words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('');
}

function describeResponse(
  spec: ResponseSpec,
  components: SchemaComponents,
  common: Record<string, JsonSchema>,
): JsonSchema {
  const own = Object.entries(spec.headers ?? {}).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ]);
  const types = [spec.contentType ?? 'application/json', ...(spec.otherContentTypes ?? [])];
  const bodyless = spec.schema === null && spec.contentType === undefined;
  const content = types.map((type, index) => {
    const schema = spec.schema && index === 0 ? components.convert(spec.schema) : {};
    return [type, { schema }];
  });
  return {
    description: spec.description,
    headers: { ...common, ...Object.fromEntries(own) },
    ...(bodyless ? {} : { content: Object.fromEntries(content) }),
  };
}

const LIMITED: HeaderName[] = ['Retry-After', 'RateLimit', 'RateLimit-Policy'];
const PROBLEM_HEADERS: Partial<Record<ErrorCode, HeaderName[]>> = {
  unauthorized: ['WWW-Authenticate'],
  idempotency_in_progress: ['Retry-After'],
  rate_limited: LIMITED,
  too_many_attempts: LIMITED,
  unavailable: ['Retry-After'],
  overloaded: ['Retry-After'],
  storage_full: ['Retry-After'],
};

function describeProblem(codes: readonly ErrorCode[], components: SchemaComponents): JsonSchema {
  const headers = refersTo('X-Request-Id', ...codes.flatMap((code) => PROBLEM_HEADERS[code] ?? []));
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    headers,
    content: {
      'application/json': { schema: components.convert(Problem), examples: problemExamples(codes) },
    },
  };
}

function describeInvalidInput(components: SchemaComponents): JsonSchema {
  return {
    description: 'The input is invalid',
    headers: refersTo('X-Request-Id'),
    content: { 'application/json': { schema: components.convert(ValidationProblem) } },
  };
}

function problemExamples(codes: readonly ErrorCode[]): JsonSchema {
  const examples = codes.map((code) => [
    code,
    { summary: ERROR_MEANINGS[code].meaning, value: problemExample(code) },
  ]);
  return Object.fromEntries(examples);
}

function problemExample(code: ErrorCode): JsonSchema {
  return { detail: ERROR_MEANINGS[code].example, code, request_id: `req_example${ERROR_STATUS[code]}` };
}
