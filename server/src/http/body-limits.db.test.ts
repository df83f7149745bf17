import { Readable } from 'node:stream';
import { allOperations } from '@earshot/contract';
import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '../test/database.ts';
import { buildTestApp, freshEmail } from '../test/test-app.ts';

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
