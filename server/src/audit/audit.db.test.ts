import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '../test/database.ts';
import { buildTestApp, signIn } from '../test/test-app.ts';

const { db } = await createTestDatabase();
const app = await buildTestApp(db);

describe('GET /v1/audit-events', () => {
  test('200 lists who did what, from which address and in which request, and no keys', async () => {
    const person = await signIn(app);
    const { body: key, headers } = await app.call('POST', '/v1/api-keys', {
      headers: person.headers,
      body: { name: 'a key', scopes: ['analyses:read'] },
    });
    await app.call('DELETE', `/v1/api-keys/${key.id}`, { headers: person.headers });
    const { status, body, text } = await app.call('GET', '/v1/audit-events', { headers: person.headers });
    expect(status).toBe(200);
    expect(body.map(({ action }: { action: string }) => action)).toEqual([
      'api_key.revoke',
      'api_key.create',
      'session.create',
      'account.create',
    ]);
    expect(body[1]).toEqual({
      id: expect.stringMatching(/^aud_/),
      action: 'api_key.create',
      target_type: 'api_key',
      target_id: key.id,
      metadata: { name: 'a key', scopes: ['analyses:read'], prefix: key.prefix },
      created_at: expect.any(String),
      actor_kind: 'user',
      actor_id: person.userId,
      ip: '127.0.0.1',
      request_id: headers['x-request-id'],
    });
    expect(text).not.toContain(key.plaintext_key);
  });
});
