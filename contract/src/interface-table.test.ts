import { describe, expect, test } from 'vitest';
import { type Fields, INVITATION, MEMBER, ROWS } from './interface-rows.ts';
import { buildOpenApiDocument } from './openapi/document.ts';
import type { JsonSchema } from './openapi/schema-components.ts';
import { allOperations } from './operations.ts';

type Documented = {
  security: Record<string, unknown>[];
  parameters?: { name: string; in: string; required: boolean; schema: JsonSchema }[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: JsonSchema }> }>;
};
const document = buildOpenApiDocument(allOperations, '0') as {
  paths: Record<string, Record<string, Documented>>;
  components: { schemas: Record<string, JsonSchema> };
};

function resolve(schema: JsonSchema): JsonSchema {
  if (typeof schema.$ref !== 'string') return schema;
  return resolve(document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
}

/** The type of the schema in the notation of interface-rows.ts. */
function nameType(schema: JsonSchema): string {
  const choices = (schema.anyOf as JsonSchema[] | undefined)?.map(resolve);
  if (choices) {
    const nullable = choices.some(({ type }) => type === 'null');
    const other = choices.find(({ type }) => type !== 'null') ?? {};
    return `${nameType(other)}${nullable ? '|null' : ''}`;
  }
  const { type, format } = resolve(schema);
  if (Array.isArray(type)) return `${type.find((one) => one !== 'null')}|null`;
  return format === 'date-time' || format === 'email' ? format : format === 'uri' ? 'url' : String(type);
}

/** An e-mail address or a URL is also a "string" of the interface. */
function fits(expected: string, actual: string): boolean {
  const wanted = expected.replace('?', '');
  return wanted === actual || wanted === actual.replace(/^(email|url)/, 'string');
}

function checkFields(schema: JsonSchema, fields: Fields): void {
  const { properties = {}, required = [] } = resolve(schema) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  for (const [name, type] of Object.entries(fields)) {
    const property = properties[name];
    expect(Object.keys(properties)).toContain(name);
    const actual = nameType(property ?? {});
    expect(fits(type, actual), `${name} is ${actual}, the interface says ${type}`).toBe(true);
    expect(required.includes(name), `${name} is required`).toBe(!type.endsWith('?'));
  }
}

/** The alternative that has every field, or the schema itself if it has no alternatives. */
function alternativeWith(schema: JsonSchema, fields: string[]): JsonSchema {
  const choices = schema.anyOf as JsonSchema[] | undefined;
  if (!choices) return schema;
  return (
    choices.find((choice) =>
      fields.every((field) => Object.hasOwn((resolve(choice).properties ?? {}) as object, field)),
    ) ?? {}
  );
}

describe.each(ROWS.map((row) => [`${row.route} (${row.auth}) → ${row.status}`, row] as const))(
  '%s',
  (_, row) => {
    const [method = '', path = ''] = row.route.split(' ');
    const operation = allOperations.find((one) => one.method === method && one.path === path);
    const documented = document.paths[path]?.[method.toLowerCase()] as Documented;

    test('exists and requires the credential of the row', () => {
      const access = { none: 'public', signature: 'signature', Bearer: 'workspace', 'API key': 'workspace' }[
        row.auth
      ];
      expect(operation?.policy.access).toBe(access);
      const schemes = documented.security.flatMap((scheme) => Object.keys(scheme));
      if (row.auth === 'Bearer') expect(schemes).toContain('bearer');
      else if (row.auth === 'API key') expect(schemes).toContain('apiKey');
      else expect(schemes).toEqual([]);
    });

    test('accepts the parameters and the body of the row', () => {
      const parameters = documented.parameters ?? [];
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(parameters.filter((one) => one.in === 'path').map(({ name }) => name)).toEqual(inPath);
      for (const name of row.headers ?? []) {
        expect(parameters.find((one) => one.name === name)).toMatchObject({ in: 'header', required: false });
      }
      for (const [name, type] of Object.entries(row.query ?? {})) {
        const parameter = parameters.find((one) => one.name === name && one.in === 'query');
        expect(parameter?.required).toBe(!type.endsWith('?'));
        expect(fits(type, nameType(parameter?.schema ?? {}))).toBe(true);
      }
      const body = documented.requestBody?.content['application/json']?.schema;
      if (row.request) {
        expect(body).toBeDefined();
        checkFields(body ?? {}, row.request);
      }
    });

    test('responds with the fields of the row', () => {
      const schema = documented.responses[row.status]?.content?.['application/json']?.schema ?? {};
      if (row.array) expect(resolve(schema).type).toBe('array');
      const object = row.array ? (resolve(schema).items as JsonSchema) : schema;
      checkFields(alternativeWith(object, Object.keys(row.response)), row.response);
    });
  },
);

describe('shapes inside the rows', () => {
  test.each([
    ['TeamMember', MEMBER],
    ['Invitation', INVITATION],
    [
      'WorkspaceEntry',
      { workspace_id: 'string', workspace_name: 'string', role: 'string', current: 'boolean' },
    ],
    [
      'NotificationPreferences',
      { analysis_complete: 'boolean', billing_updates: 'boolean', product_updates: 'boolean' },
    ],
    ['ValidationIssue', { loc: 'array', msg: 'string', type: 'string' }],
  ] as const)('%s', (name, fields) => {
    checkFields(document.components.schemas[name] ?? {}, fields);
  });

  test('the specified statuses of the key-based surface are documented', () => {
    const responses = document.paths['/v1/auth/register']?.post?.responses ?? {};
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['201', '409', '422', '429', '502']));
    expect(document.paths['/v1/analyze/url']?.post?.responses).toHaveProperty('202');
  });

  test('a validation failure is documented for every operation with input', () => {
    for (const operation of allOperations.filter(({ body, query }) => body || query)) {
      const responses = document.paths[operation.path]?.[operation.method.toLowerCase()]?.responses ?? {};
      expect(responses, operation.id).toHaveProperty('422');
    }
  });
});
