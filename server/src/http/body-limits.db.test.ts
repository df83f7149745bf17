import { Readable } from 'node:stream';
import { allOperations } from '@earshot/contract';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createTestDatabase } from '../test/database.ts';
import { buildTestApp, freshEmail } from '../test/test-app.ts';
import { validate } from './validation.ts';

const { db } = await createTestDatabase();
const app = await buildTestApp(db);

const open = allOperations.filter(
  ({ policy, body, rawBody }) => policy.access !== 'workspace' && (body || rawBody?.as === 'bytes'),
);

describe('a body of a route that anybody may call', () => {
  test.each(open.map((operation) => [operation.id, operation] as const))(
    '%s: 413 beyond its limit, with and without Content-Length',
    async (_id, operation) => {
      const bytesMax = operation.bodyBytesMax ?? 4_096;
      const url = operation.path.replaceAll(/\{\w+\}/g, 'x');
      const body = 'x'.repeat(bytesMax + 1);
      // A stream is sent without Content-Length.
      for (const payload of [body, Readable.from([body])]) {
        const headers = { 'content-type': 'application/json' };
        const answer = await app.app.inject({ method: operation.method as 'POST', url, payload, headers });
        expect([answer.statusCode, answer.json().code]).toEqual([413, 'payload_too_large']);
      }
    },
  );

  test('only the webhooks of the payment provider have a limit of their own', () => {
    const larger = open.filter(({ bodyBytesMax }) => bodyBytesMax !== undefined).map(({ path }) => path);
    expect(larger).not.toEqual([]);
    for (const path of larger) expect(path).toMatch(/payment|stripe/);
  });

  test('4,096 bytes are accepted', async () => {
    const email = freshEmail();
    const body = JSON.stringify({ email }).padEnd(4_096);
    const { status } = await app.call('POST', '/v1/auth/email/start', { body });
    expect(status).toBe(200);
  });
});

describe('unknown keys', () => {
  const schema = z.strictObject({ first: z.string(), last: z.string().optional() });

  /** Counts how often the values of unknown keys are read. */
  function manyKeys(count: number): { input: Record<string, unknown>; looks: () => number } {
    let lookCount = 0;
    const input: Record<string, unknown> = { first: 'a' };
    for (let index = 0; index < count; index += 1) {
      Object.defineProperty(input, `k${index}`, {
        enumerable: true,
        get() {
          lookCount += 1;
          return index;
        },
      });
    }
    input.last = 7;
    return { input, looks: () => lookCount };
  }

  const issuesOf = (input: unknown) => {
    try {
      validate(schema, input, 'body');
    } catch (error) {
      return (error as { issues: { type: string; loc: string[] }[] }).issues;
    }
    return [];
  };

  test('cost the same, however many there are', () => {
    const few = manyKeys(1_000);
    const many = manyKeys(90_000);
    expect(issuesOf(many.input)).toEqual(issuesOf(few.input));
    expect(many.looks()).toBe(few.looks());
    expect(many.looks()).toBeLessThan(2_000);
  });

  test('do not hide the faults of known keys', () => {
    const issues = issuesOf(manyKeys(1_000).input);
    expect(issues).toHaveLength(20);
    expect(issues[0]).toMatchObject({ type: 'string_type', loc: ['body', 'last'] });
  });
});
