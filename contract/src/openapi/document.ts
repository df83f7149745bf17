import type { z } from 'zod';
import { ERROR_STATUS, type ErrorCode } from '../error-codes.ts';
import { ERROR_MEANINGS } from '../error-meanings.ts';
import type { Operation, ResponseSpec } from '../operation.ts';
import { errorCodesByStatus, validatesInput } from '../operation-errors.ts';
import { Problem, ValidationProblem } from '../resources/problem.ts';
import { exampleOf } from './examples.ts';
import { createSchemaComponents, type JsonSchema, type SchemaComponents } from './schema-components.ts';
import { describeWebhooks } from './webhooks.ts';

/** The OpenAPI 3.1 document of a list of operations, written from the schemas that validate the requests. */
export function buildOpenApiDocument(operations: readonly Operation[], version: string): JsonSchema {
  const components = createSchemaComponents();
  const responses: Responses = new Map();
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const operation of operations) {
    const described = {
      [operation.method.toLowerCase()]: describeOperation(operation, components, responses),
    };
    paths[operation.path] = { ...paths[operation.path], ...described };
  }
  const webhooks = describeWebhooks(components);
  const schemas = components.all();
  addExamples([paths, webhooks, [...responses.values()]], schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Earshot',
      version,
      summary: 'Audio analysis as a service',
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    webhooks,
    components: {
      schemas,
      headers: HEADERS,
      responses: Object.fromEntries([...responses].toSorted(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

const INTRODUCTION = [
  'Tempo, beats, key, chords, sections, genre, mood, voice, loudness and quality of a recording, each with an honest confidence.',
  'Two surfaces stand side by side over the same jobs: the workspace surface (`Authorization: Bearer …`) and the',
  'key-based surface (`X-API-Key: …`). An API key works in both headers; a session token only as a bearer.',
  '',
  'Input that does not fit is answered 422 with `ValidationProblem`; every other error is a `Problem` with a `code` from',
  'a closed list. Lists are newest first, with `?limit=` at most 100, unless they say otherwise, and name their next page in',
  'the `Link` header.',
].join('\n');

const SECURITY_SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'A session token (`es_sess_…`) or an API key (`es_live_…`)',
  },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key (`es_live_…`)' },
};

const text = { type: 'string' };
const HEADERS = {
  'X-Request-Id': {
    description: 'Names this request in our logs; yours, when it is well formed',
    schema: text,
  },
  RateLimit: {
    description: 'What is left of the limit, and for how long: `"requests";r=2999;t=60`',
    schema: text,
  },
  'RateLimit-Policy': {
    description: 'The limit and its window in seconds: `"requests";q=3000;w=60`',
    schema: text,
  },
  ETag: { description: 'Send it as `If-None-Match` and an unchanged answer is 304', schema: text },
  'Idempotent-Replayed': { description: '`true` on an answer given before under the same key', schema: text },
  'Retry-After': { description: 'Seconds to wait before asking again', schema: text },
  'WWW-Authenticate': { description: 'How to prove who you are', schema: text },
};

type HeaderName = keyof typeof HEADERS;

function refersTo(...names: HeaderName[]): Record<string, JsonSchema> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Of every answer that the operation itself gives. */
function commonHeaders(
  { surface, method, idempotent }: Operation,
  status: number,
): Record<string, JsonSchema> {
  return refersTo(
    'X-Request-Id',
    ...(surface === 'operational' ? [] : (['RateLimit', 'RateLimit-Policy'] as const)),
    ...(method === 'GET' && status === 200 ? (['ETag'] as const) : []),
    ...(idempotent ? (['Idempotent-Replayed'] as const) : []),
  );
}

/** Error answers by name: each set of codes that share a status is described once. */
type Responses = Map<string, JsonSchema>;

function describeOperation(
  operation: Operation,
  components: SchemaComponents,
  responses: Responses,
): JsonSchema {
  const { policy } = operation;
  const parameters = describeParameters(operation, components);
  const requestBody = describeRequestBody(operation, components);
  const description = [operation.description, describePolicy(operation)].filter(Boolean).join('\n\n');
  return {
    operationId: operation.id,
    summary: operation.summary,
    ...(description ? { description } : {}),
    tags: [operation.tag],
    security:
      policy.access !== 'workspace'
        ? []
        : policy.scope === null
          ? [{ bearer: [] }]
          : [{ bearer: [] }, { apiKey: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses: describeResponses(operation, components, responses),
  };
}

function describePolicy({ policy }: Operation): string | null {
  if (policy.access !== 'workspace') return null;
  const key =
    policy.scope === null ? 'a signed-in session' : `a session, or a key with the scope \`${policy.scope}\``;
  return `Needs ${key}; role \`${policy.role}\` or higher.`;
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The same key with the same request gives the stored answer again, for 24 hours at least.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
};

function describeParameters(operation: Operation, components: SchemaComponents): JsonSchema[] {
  const places = [
    ['path', operation.params],
    ['query', operation.query],
    ['header', operation.headers],
  ] as const;
  const described = places.flatMap(([place, schema]) => describePlace(place, schema, components));
  return operation.idempotent ? [...described, IDEMPOTENCY_KEY] : described;
}

/** `Accept` is for OpenAPI no parameter: what it chooses stands under the content types of the answer. */
const NOT_PARAMETERS = new Set(['accept']);

function describePlace(
  place: string,
  schema: z.ZodObject | undefined,
  components: SchemaComponents,
): JsonSchema[] {
  if (!schema) return [];
  const { properties, required } = components.convert(schema) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties ?? {})
    .filter(([name]) => !NOT_PARAMETERS.has(name))
    .map(([name, { description, ...rest }]) => ({
      name,
      in: place,
      required: place === 'path' || (required ?? []).includes(name),
      ...(description ? { description } : {}),
      schema: rest,
    }));
}

function describeRequestBody(operation: Operation, components: SchemaComponents): JsonSchema | null {
  if (operation.body) {
    return {
      required: true,
      content: { 'application/json': { schema: components.convert(operation.body) } },
    };
  }
  if (!operation.rawBody) return null;
  const { contentType, description } = operation.rawBody;
  const schema = describeForm(operation.rawBody, components);
  return { required: true, description, content: { [contentType]: { schema } } };
}

/** The fields of a form, with the files among them. */
function describeForm(
  { schema, fields, files = [] }: NonNullable<Operation['rawBody']>,
  components: SchemaComponents,
): JsonSchema {
  if (files.length === 0) return schema ?? {};
  const described = fields ? components.inline(fields) : {};
  // The first is JSON Schema's word for bytes, the second the one that generators of clients know.
  const file = { type: 'string', contentMediaType: 'application/octet-stream', format: 'binary' };
  return {
    type: 'object',
    additionalProperties: false,
    required: [...files],
    properties: {
      ...Object.fromEntries(files.map((name) => [name, file])),
      ...(described.properties as Record<string, JsonSchema> | undefined),
    },
  };
}

function describeResponses(
  operation: Operation,
  components: SchemaComponents,
  shared: Responses,
): JsonSchema {
  const described: Record<string, JsonSchema> = {};
  const byStatus = errorCodesByStatus(operation);
  if (validatesInput(operation) && !byStatus.has(422)) byStatus.set(422, []);
  for (const [status, codes] of byStatus) {
    const problem = status === 422 ? describeInvalidInput(components) : describeProblem(codes, components);
    const name = nameResponse(status, codes);
    if (name) shared.set(name, problem);
    described[status] = name ? { $ref: `#/components/responses/${name}` } : problem;
  }
  // An answer of its own wins over the common one: /ready answers 503 with its readiness.
  for (const [status, spec] of Object.entries(operation.responses)) {
    described[status] = describeResponse(spec, components, commonHeaders(operation, Number(status)));
  }
  if (operation.method === 'GET' && described[200] && !hasVersionTag(operation)) {
    shared.set('NotModified', {
      description: 'What `If-None-Match` names is still true',
      headers: refersTo('ETag'),
    });
    described[304] = { $ref: '#/components/responses/NotModified' };
  }
  return described;
}

/** Its ETag is to be sent as If-Match: it names a version, and not the answer. */
function hasVersionTag({ responses }: Operation): boolean {
  return responses[200]?.headers?.ETag !== undefined;
}

const SHARED_SETS: Record<string, string> = {
  'email_not_verified insufficient_role insufficient_scope': 'Forbidden',
  'email_not_verified insufficient_role insufficient_scope cross_origin_cookie': 'ForbiddenChange',
  'idempotency_key_reused idempotency_in_progress': 'IdempotencyConflict',
};

/** Null for a set of codes that is too special to share. */
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
    description: 'The input does not fit',
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

/** An example beside every JSON body that has none, made from its schema once all components are known. */
function addExamples(node: unknown, components: Record<string, JsonSchema>): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (key === 'application/json' && isJsonContent(value)) {
      if (!value.examples && Object.keys(value.schema).length > 0)
        value.example = exampleOf(value.schema, components);
    } else {
      addExamples(value, components);
    }
  }
}

function isJsonContent(
  value: unknown,
): value is { schema: JsonSchema; example?: unknown; examples?: unknown } {
  return typeof value === 'object' && value !== null && 'schema' in value;
}
