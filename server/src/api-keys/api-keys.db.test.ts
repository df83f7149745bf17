import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '../test/database.ts';
import { buildTestApp, type SignedIn, signIn } from '../test/test-app.ts';

const { db } = await createTestDatabase();
let nowMs = Date.parse('2026-03-01T12:00:00Z');
const app = await buildTestApp(db, { clock: () => new Date(nowMs) });

const create = (person: SignedIn, name = 'a key', scopes: string[] = ['analyses:read']) =>
  app.call('POST', '/v1/api-keys', { headers: person.headers, body: { name, scopes } });
const list = (person: SignedIn, query = '') =>
  app.call('GET', `/v1/api-keys${query}`, { headers: person.headers });

describe('POST /v1/api-keys', () => {
  test('201 shows the key once; the list shows only its prefix', async () => {
    const person = await signIn(app);
    const { status, body } = await create(person, '  nightly  ', [
      'usage:read',
      'analyses:read',
      'analyses:read',
    ]);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^key_/),
      name: 'nightly',
      prefix: body.plaintext_key.slice(0, 12),
      scopes: ['analyses:read', 'usage:read'],
      created_at: new Date(nowMs).toISOString(),
      plaintext_key: expect.stringMatching(/^es_live_[0-9A-Za-z]{36}$/),
    });
    const listed = await list(person);
    const { plaintext_key: _, ...shown } = body;
    expect(listed.body).toEqual([{ ...shown, last_used_at: null }]);
  });

  test('409 beyond a hundred active keys, even with concurrent requests', async () => {
    const person = await signIn(app);
    await db.query(
      `insert into api_keys (id, workspace_id, created_by, name, prefix, key_hash, scopes, revoked_at)
       select 'key_' || n, $1, $2, 'filler', 'es_live_', 'hash-' || $1 || n, '{}', case when n > 98 then now() end
       from generate_series(1, 99) n`,
      [person.workspaceId, person.userId],
    );
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(person)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    expect(answers.filter(({ status, body }) => status === 409 && body.code === 'conflict')).toHaveLength(8);
  });
});

describe('GET /v1/api-keys', () => {
  test('200 newest first, in pages linked by the Link header', async () => {
    const person = await signIn(app);
    const ids: string[] = [];
    for (const name of ['one', 'two', 'three']) ids.unshift((await create(person, name)).body.id);
    const first = await list(person, '?limit=2');
    expect(first.body.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2));
    expect(first.headers.link).toBe(`</v1/api-keys?limit=2&after=${ids[1]}>; rel="next"`);
    const second = await list(person, `?limit=2&after=${ids[1]}`);
    expect(second.body.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2));
    expect(second.headers.link).toBeUndefined();
  });

  test('last_used_at is updated at most once a minute', async () => {
    const person = await signIn(app);
    const { body: key } = await create(person);
    const use = () => app.call('GET', '/v1/analyses', { headers: { 'x-api-key': key.plaintext_key } });
    const lastUsed = async () => (await list(person)).body[0].last_used_at;
    const firstUse = new Date(nowMs).toISOString();
    await use();
    expect(await lastUsed()).toBe(firstUse);
    nowMs += 30_000;
    await use();
    expect(await lastUsed()).toBe(firstUse);
    nowMs += 31_000;
    await use();
    expect(await lastUsed()).toBe(new Date(nowMs).toISOString());
  });
});

describe('DELETE /v1/api-keys/{api_key_id}', () => {
  test('200 revokes at once, and again for a revoked key, which is audited once; the list keeps the key with revoked_at', async () => {
    const person = await signIn(app);
    const { body: key } = await create(person);
    const revoke = () => app.call('DELETE', `/v1/api-keys/${key.id}`, { headers: person.headers });
    expect([(await revoke()).body, (await revoke()).body]).toEqual([{ revoked: true }, { revoked: true }]);
    const used = await app.call('GET', '/v1/analyses', { headers: { 'x-api-key': key.plaintext_key } });
    expect(used.status).toBe(401);
    expect((await list(person)).body[0].revoked_at).toBe(new Date(nowMs).toISOString());
    const audit = await app.call('GET', '/v1/audit-events', { headers: person.headers });
    const actions = audit.body.map(({ action }: { action: string }) => action);
    expect(actions.slice(0, 2)).toEqual(['api_key.revoke', 'api_key.create']);
  });
});
