import { readFile } from 'node:fs/promises';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { ERROR_STATUS } from '../error-codes.ts';
import { buildErrorPage } from '../error-page.ts';
import { allOperations } from '../operations.ts';
import { CONTRACT_VERSION } from '../version.ts';
import { buildWebhookPage } from '../webhook-page.ts';
import { buildOpenApiDocument } from './document.ts';
import { exampleOf } from './examples.ts';
import { createSchemaComponents } from './schema-components.ts';

/** An answer that refers to a shared one has neither member. */
type ErrorAnswer = { description?: string; headers?: object };

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

  test.each([
    'idempotency_in_progress',
    'overloaded',
    'rate_limited',
    'storage_full',
    'too_many_attempts',
    'unavailable',
  ])('has a Retry-After header in every answer with %s', (code) => {
    const { paths, components } = document as {
      paths: Record<string, Record<string, { responses: Record<string, ErrorAnswer> }>>;
      components: { responses: Record<string, ErrorAnswer> };
    };
    const inline = Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ responses }) => Object.values(responses)),
    );
    const answers = [...Object.values(components.responses), ...inline].filter(({ description }) =>
      description?.includes(`\`${code}\``),
    );
    expect(answers.length).toBeGreaterThan(0);
    for (const { headers } of answers) expect(headers).toHaveProperty('Retry-After');
  });

  test('has no separate schemas for input and output', () => {
    const schemas = (document.components as { schemas: Record<string, unknown> }).schemas;
    expect(Object.keys(schemas).filter((name) => /(Input|Output)$/.test(name))).toEqual([]);
  });

  test('has no pattern that nobody can read', () => {
    const patterns = [...JSON.stringify(document).matchAll(/"pattern":"((?:[^"\\]|\\.)*)"/g)].map(
      ([, text]) => text ?? '',
    );
    // Chosen: the longest is a list of content types; the full grammar of an e-mail address has hundreds of characters.
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

  test('the example of every JSON answer fits its own schema', () => {
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

test('docs/webhook-events.md is current (npm run openapi writes it)', async () => {
  const page = await readFile(new URL('../../../docs/webhook-events.md', import.meta.url), 'utf8');
  expect(page).toBe(buildWebhookPage());
});

describe('docs/errors.md', () => {
  test('is current, and has a heading for every code', async () => {
    const page = await readFile(new URL('../../../docs/errors.md', import.meta.url), 'utf8');
    expect(page).toBe(buildErrorPage());
    for (const code of Object.keys(ERROR_STATUS)) expect(page).toContain(`\n### ${code}\n`);
  });
});
