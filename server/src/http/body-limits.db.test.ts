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

describe('the body of a route without credentials', () => {
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

  test("only the payment provider's webhooks have a larger limit", () => {
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

  /** An input with unknown keys that counts how often their values are read. */
  function manyKeys(count: number): { input: Record<string, unknown>; readCount: () => number } {
    let readCount = 0;
    const input: Record<string, unknown> = { first: 'a' };
    for (let index = 0; index < count; index += 1) {
      Object.defineProperty(input, `k${index}`, {
        enumerable: true,
        get() {
          readCount += 1;
          return index;
        },
      });
    }
    input.last = 7;
    return { input, readCount: () => readCount };
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
    expect(many.readCount()).toBe(few.readCount());
    // A few reads for each of the twenty that are reported; reading every key would take 90,000.
    expect(many.readCount()).toBeLessThan(2_000);
  });

  test('do not hide the faults of known keys', () => {
    const issues = issuesOf(manyKeys(1_000).input);
    expect(issues).toHaveLength(20);
    expect(issues[0]).toMatchObject({ type: 'string_type', loc: ['body', 'last'] });
  });
});
