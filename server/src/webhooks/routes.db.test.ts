import { describe, expect, it } from 'vitest';
import { createTestDatabase } from '../test/database.ts';
import { buildTestApp, signIn } from '../test/test-app.ts';

const { db } = await createTestDatabase();
const app = await buildTestApp(db);
const ENDPOINT = { url: 'http://127.0.0.1/hook', description: 'mine', event_types: ['analysis.failed'] };

async function create() {
  const { headers } = await signIn(app);
  const { body } = await app.call('POST', '/v1/webhook-endpoints', { headers, body: ENDPOINT });
  return { headers, secret: body.signing_secret, path: `/v1/webhook-endpoints/${body.id}` };
}

describe('an endpoint', () => {
  it('is changed in what a request names, and in nothing else', async () => {
    const { headers, path } = await create();
    const expected: Record<string, unknown> = { ...ENDPOINT, status: 'active', disabled_reason: null };
    for (const [change, result = change] of [
      [{ description: 'yours' }],
      [{ event_types: ['analysis.completed', 'analysis.canceled'] }],
      [{ url: 'http://127.0.0.1/other' }],
      [{ status: 'disabled' }, { status: 'disabled', disabled_reason: 'Disabled on request.' }],
      [
        { description: null, event_types: null },
        { description: null, event_types: [] },
      ],
      [{ status: 'active' }, { status: 'active', disabled_reason: null }],
    ]) {
      const changed = await app.call('PATCH', path, { headers, body: change });
      Object.assign(expected, result);
      expect([changed.status, changed.body]).toMatchObject([200, expected]);
      expect((await app.call('GET', path, { headers })).body).toEqual(changed.body);
    }
  });

  it('that was deleted is neither shown nor changed', async () => {
    const { headers, path } = await create();
    expect((await app.call('DELETE', path, { headers })).status).toBe(200);
    const requests = [
      app.call('GET', path, { headers }),
      app.call('PATCH', path, { headers, body: { status: 'active' } }),
      app.call('DELETE', path, { headers }),
      app.call('POST', `${path}/rotate-secret`, { headers }),
      app.call('POST', `${path}/test`, { headers }),
    ];
    expect((await Promise.all(requests)).map(({ status }) => status)).toEqual(Array(5).fill(404));
  });
});

describe('rotation', () => {
  it.each([
    ['an endpoint', (path: string) => `${path}/rotate-secret`],
    ['the default secret', () => '/v1/webhook-signing-secret/rotate'],
  ])('of %s, repeated with one Idempotency-Key, changes the secret once', async (name, pathOf) => {
    const created = await create();
    const { headers: authorization, path } = created;
    const shown = await app.call('GET', '/v1/webhook-signing-secret', { headers: authorization });
    const secret = name === 'an endpoint' ? created.secret : shown.body.signing_secret;
    const headers = { ...authorization, 'idempotency-key': 'rotate-once' };
    const first = await app.call('POST', pathOf(path), { headers });
    const again = await app.call('POST', pathOf(path), { headers });
    expect([first.status, again.status, again.headers['idempotent-replayed']]).toEqual([200, 200, 'true']);
    expect(again.body).toEqual(first.body);
    expect(first.body.signing_secret).not.toBe(secret);
  });
});
