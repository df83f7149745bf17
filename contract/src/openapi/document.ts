import type { z } from 'zod';
import type { Operation } from '../operation.ts';
import { exampleOf } from './examples.ts';
import { describeResponses, HEADERS, type Responses } from './responses.ts';
import { createSchemaComponents, type JsonSchema, type SchemaComponents } from './schema-components.ts';
import { describeWebhooks } from './webhooks.ts';

/** The OpenAPI 3.1 document of these operations, generated from the schemas that validate their requests. */
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
  'Tempo, beats, key, chords, sections, genre, mood, voice, loudness and quality of a recording.',
  'A `confidence` is calibrated, except that of moods, instruments and decades: of the answers given with 0.8, about 80 % are right.',
  'Two surfaces give access to the same jobs: the workspace surface (`Authorization: Bearer …`) and the',
  'key-based surface (`X-API-Key: …`). An API key works in both headers; a session token only as a bearer token.',
  '',
  'Invalid input gets status 422 with a `ValidationProblem`; every other error is a `Problem` with a `code` from a closed',
  'list. Unless they say otherwise, lists are newest first, accept a `?limit=` of up to 100, and name their next page in the',
  '`Link` header.',
].join('\n');

const SECURITY_SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'A session token (`es_sess_…`) or an API key (`es_live_…`)',
  },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key (`es_live_…`)' },
};

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
  description: 'Repeating a request with the same key returns the stored response, for at least 24 hours.',
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

/** OpenAPI ignores `Accept` as a parameter; the content types of the response express the same. */
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
  const schema = describeRawBody(operation.rawBody, components);
  return { required: true, description, content: { [contentType]: { schema } } };
}

/** The schema of a raw body: its own, or one composed of form fields and files. */
function describeRawBody(
  { schema, fields, files = [] }: NonNullable<Operation['rawBody']>,
  components: SchemaComponents,
): JsonSchema {
  if (files.length === 0) return schema ?? {};
  const described = fields ? components.inline(fields) : {};
  // `contentMediaType` is how JSON Schema marks bytes; `format` is what client generators understand.
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

/** Adds an example to every JSON body without one. It is built from the schema, so all components must be known by now. */
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
