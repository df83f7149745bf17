import type { z } from 'zod';
import { ERROR_STATUS, type ErrorCode } from '../error-codes.ts';
import { ERROR_MEANINGS } from '../error-meanings.ts';
import type { Operation, ResponseSpec } from '../operation.ts';
import { errorCodesByStatus, validatesInput } from '../operation-errors.ts';
import { Problem, ValidationProblem } from '../resources/problem.ts';
import { exampleOf } from './examples.ts';
import { createSchemaComponents, type JsonSchema, type SchemaComponents } from './schema-components.ts';

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
  const schemas = components.all();
  addExamples([paths, [...responses.values()]], schemas);
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
    components: {
      schemas,
      responses: Object.fromEntries([...responses].toSorted(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

const INTRODUCTION = [
  'Tempo, beats, key, chords, sections, loudness and quality of a recording, each with an honest confidence.',
  'Two surfaces stand side by side over the same jobs: the workspace surface (`Authorization: Bearer …`) and the',
  'key-based surface (`X-API-Key: …`). An API key works in both headers; a session token only as a bearer.',
  '',
  'Input that does not fit is answered 422 with `ValidationProblem`; every other error is a `Problem` with a `code` from',
  'a closed list. Lists are newest first, `?limit=` at most 100, and name their next page in the `Link` header.',
].join('\n');

const SECURITY_SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'A session token (`es_sess_…`) or an API key (`es_live_…`)',
  },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key (`es_live_…`)' },
};

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
  schema: { type: 'string', minLength: 8, maxLength: 255 },
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
    const required = !operation.body.safeParse({}).success || operation.method === 'POST';
    return { required, content: { 'application/json': { schema: components.convert(operation.body) } } };
  }
  if (!operation.rawBody) return null;
  const { contentType, description, schema } = operation.rawBody;
  return { required: true, description, content: { [contentType]: { schema: schema ?? {} } } };
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
    const problem = (status === 422 ? describeUnprocessable : describeProblem)(codes, components);
    const name = nameResponse(status, codes);
    if (name) shared.set(name, problem);
    described[status] = name ? { $ref: `#/components/responses/${name}` } : problem;
  }
  // An answer of its own wins over the common one: /ready answers 503 with its readiness.
  for (const [status, spec] of Object.entries(operation.responses)) {
    described[status] = describeResponse(spec, components);
  }
  return described;
}

const SHARED_SETS: Record<string, string> = {
  'email_not_verified insufficient_role insufficient_scope': 'Forbidden',
  'email_not_verified insufficient_role insufficient_scope cross_origin_cookie': 'ForbiddenChange',
  'idempotency_key_reused idempotency_in_progress': 'IdempotencyConflict',
};

/** Null for a set of codes that is too special to share. */
function nameResponse(status: number, codes: readonly ErrorCode[]): string | null {
  if (status === 422 && codes.length === 0) return 'InvalidInput';
  if (status === 422 || codes.length > 1) return SHARED_SETS[codes.join(' ')] ?? null;
  const words = codes[0]?.split('_') ?? [];
  return words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('');
}

function describeResponse(spec: ResponseSpec, components: SchemaComponents): JsonSchema {
  const headers = Object.entries(spec.headers ?? {}).map(([name, description]) => [
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
    ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}),
    ...(bodyless ? {} : { content: Object.fromEntries(content) }),
  };
}

function describeProblem(codes: readonly ErrorCode[], components: SchemaComponents): JsonSchema {
  const [first] = codes;
  const status = first === undefined ? 0 : ERROR_STATUS[first];
  const headers = status === 401 ? ['WWW-Authenticate'] : status === 429 ? ['Retry-After'] : [];
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    ...(headers[0] ? { headers: { [headers[0]]: { schema: { type: 'string' } } } } : {}),
    content: {
      'application/json': { schema: components.convert(Problem), examples: problemExamples(codes) },
    },
  };
}

/** 422 has two bodies: pydantic's list of issues, and for a few codes a Problem. */
function describeUnprocessable(codes: readonly ErrorCode[], components: SchemaComponents): JsonSchema {
  const validation = components.convert(ValidationProblem);
  if (codes.length === 0) {
    return { description: 'The input does not fit', content: { 'application/json': { schema: validation } } };
  }
  const names = codes.map((code) => `\`${code}\``).join(', ');
  const schema = { anyOf: [validation, components.convert(Problem)] };
  return {
    description: `The input does not fit, or ${names}`,
    content: { 'application/json': { schema, examples: problemExamples(codes) } },
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
