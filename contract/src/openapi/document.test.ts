import { readFile } from 'node:fs/promises';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { WEBHOOK_EVENT_TYPES } from '../event-names.ts';
import type { Operation } from '../operation.ts';
import { allOperations } from '../operations.ts';
import { CONTRACT_VERSION } from '../version.ts';
import { buildOpenApiDocument } from './document.ts';
import { exampleOf } from './examples.ts';
import { createSchemaComponents } from './schema-components.ts';

/** A response that refers to a shared one has neither member. */
type ErrorResponse = { description?: string; headers?: object };

const document = buildOpenApiDocument(allOperations, CONTRACT_VERSION);

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document));
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  test('is the same as the committed one (npm run openapi writes it)', async () => {
    const checkedIn = await readFile(new URL('../../openapi.json', import.meta.url), 'utf8');
    expect(JSON.parse(checkedIn)).toEqual(JSON.parse(JSON.stringify(document)));
  });

  test('has the security of every operation and every webhook', () => {
    const { paths, webhooks } = document as Record<string, Record<string, Record<string, object>>>;
    const withoutSecurity = Object.entries({ ...paths, ...webhooks }).flatMap(([place, methods]) =>
      Object.entries(methods)
        .filter(([, operation]) => !('security' in operation))
        .map(([method]) => `${method} ${place}`),
    );
    expect(withoutSecurity).toEqual([]);
  });

  test('has every operation, and no two with the same id', () => {
    const { paths } = document as { paths: Record<string, Record<string, { operationId: string }>> };
    const documented = Object.values(paths).flatMap((methods) => Object.values(methods));
    const ids = documented.map(({ operationId }) => operationId);
    expect(ids.toSorted()).toEqual(allOperations.map(({ id }) => id).toSorted());
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('has every parameter of a path, and no other', () => {
    for (const { id, path, params } of allOperations) {
      const named = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name);
      expect(Object.keys(params?.shape ?? {}), id).toEqual(named);
    }
  });

  test.each([
    'idempotency_in_progress',
    'overloaded',
    'rate_limited',
    'storage_full',
    'too_many_attempts',
    'unavailable',
  ])('has a Retry-After header in every response with %s', (code) => {
    const { paths, components } = document as {
      paths: Record<string, Record<string, { responses: Record<string, ErrorResponse> }>>;
      components: { responses: Record<string, ErrorResponse> };
    };
    const inline = Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ responses }) => Object.values(responses)),
    );
    const matching = [...Object.values(components.responses), ...inline].filter(({ description }) =>
      description?.includes(`\`${code}\``),
    );
    expect(matching.length).toBeGreaterThan(0);
    for (const { headers } of matching) expect(headers).toHaveProperty('Retry-After');
  });

  test('has no separate schemas for input and output', () => {
    const schemas = (document.components as { schemas: Record<string, unknown> }).schemas;
    expect(Object.keys(schemas).filter((name) => /(Input|Output)$/.test(name))).toEqual([]);
  });

  test('has no pattern too long to read', () => {
    const patterns = [...JSON.stringify(document).matchAll(/"pattern":"((?:[^"\\]|\\.)*)"/g)].map(
      ([, text]) => text ?? '',
    );
    // Ours are shorter: the longest lists content types. zod's own pattern of an e-mail address alone would exceed this.
    expect(patterns.filter((pattern) => pattern.length > 100)).toEqual([]);
  });

  test.each(
    allOperations.flatMap((operation) => (operation.body ? [[operation.id, operation.body] as const] : [])),
  )('the example of the body of %s is a valid body', (_id, body) => {
    const components = createSchemaComponents();
    const schema = components.convert(body);
    const example = exampleOf(schema, components.all());
    expect(body.safeParse(example).error?.issues).toBeUndefined();
  });

  test('the example of every JSON response satisfies its schema', () => {
    for (const operation of allOperations) {
      for (const [status, { schema }] of Object.entries(operation.responses)) {
        if (!schema) continue;
        const components = createSchemaComponents();
        const converted = components.convert(schema);
        const checked = schema.safeParse(exampleOf(converted, components.all()));
        expect(checked.error?.issues, `${operation.id} ${status}`).toBeUndefined();
      }
    }
  });
});

test('an operation is described by its parameters, credentials, form and responses, of which its own come first', () => {
  const upload: Operation = {
    id: 'uploadSong',
    method: 'POST',
    path: '/songs/{id}',
    summary: 'Upload',
    description: 'Replaces the song.',
    tag: 'Songs',
    surface: 'key',
    policy: { access: 'workspace', scope: 'analyses:create', role: 'member' },
    params: z.object({ id: z.string() }),
    query: z.object({ dry: z.string().optional().meta({ description: 'Only checks' }) }),
    headers: z.object({ accept: z.string(), 'if-match': z.string() }),
    rawBody: {
      contentType: 'multipart/form-data',
      description: 'The file',
      as: 'stream',
      fields: z.object({ title: z.string() }),
      files: ['file'],
    },
    idempotent: true,
    responses: {
      204: { description: 'Done', schema: null, headers: { Location: 'Where' } },
      404: { description: 'A page', schema: null, contentType: 'text/html' },
    },
    errors: ['gone', 'conflict'],
  };
  const { paths } = buildOpenApiDocument([upload], '1') as { paths: Record<string, Record<string, object>> };
  const text = { type: 'string' };
  expect(paths['/songs/{id}']?.post).toMatchObject({
    description:
      'Replaces the song.\n\nNeeds a session, or a key with the scope `analyses:create`; role `member` or higher.',
    security: [{ bearer: [] }, { apiKey: [] }],
    parameters: [
      { name: 'id', in: 'path', required: true, schema: text },
      { name: 'dry', in: 'query', required: false, description: 'Only checks', schema: text },
      { name: 'if-match', in: 'header', required: true, schema: text },
      { name: 'Idempotency-Key', in: 'header', required: false },
    ],
    requestBody: {
      required: true,
      content: {
        'multipart/form-data': {
          schema: {
            additionalProperties: false,
            required: ['file'],
            properties: { file: { type: 'string', format: 'binary' }, title: text },
          },
        },
      },
    },
    responses: {
      204: {
        description: 'Done',
        headers: {
          Location: { description: 'Where', schema: text },
          RateLimit: { $ref: '#/components/headers/RateLimit' },
          'Idempotent-Replayed': { $ref: '#/components/headers/Idempotent-Replayed' },
        },
      },
      403: { $ref: '#/components/responses/ForbiddenChange' },
      404: { description: 'A page', content: { 'text/html': { schema: {} } } },
      409: { description: '`conflict`, `idempotency_key_reused`, `idempotency_in_progress`' },
      410: { $ref: '#/components/responses/Gone' },
      422: { $ref: '#/components/responses/InvalidInput' },
    },
  });
});

const song: Operation = {
  id: 'getSong',
  method: 'GET',
  path: '/songs',
  summary: 'Read',
  tag: 'Songs',
  surface: 'operational',
  policy: { access: 'public' },
  responses: { 200: { description: 'A song', schema: null, contentType: 'application/octet-stream' } },
};

test.each<[string, Operation['policy'], object[], string | undefined]>([
  ['everyone', { access: 'public' }, [], undefined],
  ['the holder of a signature', { access: 'signature' }, [], undefined],
  [
    'a signed-in owner',
    { access: 'workspace', scope: null, role: 'owner' },
    [{ bearer: [] }],
    'Needs a signed-in session; role `owner` or higher.',
  ],
])('an operation for %s has the credentials that it needs', (_, policy, security, description) => {
  const { paths } = buildOpenApiDocument([{ ...song, policy }], '1') as {
    paths: Record<string, { get: { security: object[]; description?: string } }>;
  };
  expect(paths['/songs']!.get.security).toEqual(security);
  expect(paths['/songs']!.get.description).toBe(description);
});

test('a JSON body of a named schema has the example of that schema', () => {
  const Song = z.object({ bpm: z.number() }).meta({ id: 'Song', examples: [{ bpm: 120 }] });
  const responses = { 200: { description: 'A song', schema: Song } };
  const { paths } = buildOpenApiDocument([{ ...song, responses }], '1') as {
    paths: Record<string, { get: { responses: object } }>;
  };
  expect(paths['/songs']!.get.responses).toMatchObject({
    200: { content: { 'application/json': { example: { bpm: 120 } } } },
  });
});

test('a webhook is described by its headers, its body and what its answers lead to', () => {
  const { webhooks } = document as { webhooks: Record<string, { post: object }> };
  expect(Object.keys(webhooks)).toEqual(WEBHOOK_EVENT_TYPES);
  const header = (name: string) => ({ name, in: 'header', required: true });
  const body = { $ref: '#/components/schemas/AnalysisCompletedPayload' };
  expect(webhooks['analysis.completed']!.post).toMatchObject({
    operationId: 'analysisCompletedWebhook',
    security: [],
    parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(header),
    requestBody: { required: true, content: { 'application/json': { schema: body } } },
    responses: { '2XX': {}, '410': {}, default: {} },
  });
});

describe('a GET', () => {
  const header = (name: string) => ({ $ref: `#/components/headers/${name}` });
  const describeGet = (response: Partial<Operation['responses'][number]>) => {
    const operation = { ...song, responses: { 200: { ...song.responses[200]!, ...response } } };
    const { paths, components } = buildOpenApiDocument([operation], '1') as {
      paths: Record<string, { get: { responses: Record<string, ErrorResponse> } }>;
      components: { responses: Record<string, ErrorResponse> };
    };
    return { responses: paths['/songs']!.get.responses, shared: components.responses };
  };

  test('has an ETag, which the client sends back to get 304', () => {
    const { responses, shared } = describeGet({});
    expect(responses[200]!.headers).toEqual({ 'X-Request-Id': header('X-Request-Id'), ETag: header('ETag') });
    expect(responses[304]).toEqual({ $ref: '#/components/responses/NotModified' });
    expect(shared.NotModified!.headers).toEqual(responses[200]!.headers);
  });

  test('whose ETag names a version is never 304', () => {
    const { responses } = describeGet({ headers: { ETag: 'The version' } });
    expect(responses[200]!.headers).toMatchObject({ ETag: { description: 'The version' } });
    expect(responses).not.toHaveProperty('304');
  });

  test('that is streamed has no ETag and is never 304', () => {
    const { responses } = describeGet({ streamed: true });
    expect(responses[200]!.headers).toEqual({ 'X-Request-Id': header('X-Request-Id') });
    expect(responses).not.toHaveProperty('304');
  });
});
