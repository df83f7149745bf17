import { describe, expect, test, vi } from 'vitest';
import { createTestDatabase } from '../test/database.ts';
import { buildTestApp, freshEmail, register, type SignedIn, signIn, type TestApp } from '../test/test-app.ts';

const { db } = await createTestDatabase({ connectionsMax: 20 });
const app = await buildTestApp(db);

const create = (person: SignedIn, key: string | null, name: string) =>
  app.call('POST', '/v1/api-keys', {
    headers: { ...person.headers, ...(key === null ? {} : { 'idempotency-key': key }) },
    body: { name, scopes: ['analyses:read'] },
  });

const keysOf = (person: SignedIn) =>
  db.query('select id from api_keys where workspace_id = $1', [person.workspaceId]);

describe('Idempotency-Key', () => {
  test('a repeated request gets the same answer with Idempotent-Replayed, whether the key is quoted or not', async () => {
    const person = await signIn(app);
    const first = await create(person, 'once-and-only', 'one');
    const again = await create(person, '"once-and-only"', 'one');
    expect(first.status).toBe(201);
    expect(again.status).toBe(201);
    expect(again.body).toEqual(first.body);
    expect([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']]).toEqual([
      undefined,
      'true',
    ]);
    expect(await keysOf(person)).toHaveLength(1);
  });

  test('409 for another request with the same key; without a key every request is new', async () => {
    const person = await signIn(app);
    await create(person, 'reused-key', 'one');
    const other = await create(person, 'reused-key', 'two');
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_key_reused']);
    await create(person, null, 'one');
    await create(person, null, 'one');
    expect(await keysOf(person)).toHaveLength(3);
  });

  test.each([
    ['/v1/analyses', 202, { source_url: 'http://127.0.0.1:9/song.mp3' }],
    ['/v1/analyze/url', 202, { url: 'http://127.0.0.1:9/song.mp3' }],
    ['/v1/batch', 202, { urls: ['http://127.0.0.1:9/song.mp3'] }],
    ['/v1/demo/analyze/url', 202, { url: 'http://127.0.0.1:9/song.mp3' }],
    ['/v1/webhook-endpoints', 201, { url: 'http://127.0.0.1:9/hook' }],
  ])('the answer of %s is replayed even when its URL is no longer allowed', async (path, status, body) => {
    const { headers: key } = await register(app);
    const post = (name: string) => {
      const headers = { ...(path.startsWith('/v1/demo') ? {} : key), 'idempotency-key': `${path}${name}` };
      return app.call('POST', path, { headers, body });
    };
    const first = await post('/moved');
    const rules = vi.spyOn(app.deps.guardedFetch, 'isUrlAllowed').mockResolvedValue(false);
    const [again, refused] = [await post('/moved'), await post('/new')];
    rules.mockRestore();
    expect([first.status, again.status, refused.status]).toEqual([status, status, 422]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    // Nothing was stored for the refused request.
    expect((await post('/new')).headers['idempotent-replayed']).toBeUndefined();
  });

  test('the same key in two workspaces is two requests; on two routes of one workspace it is 409', async () => {
    const [first, second] = [await signIn(app), await signIn(app)];
    expect((await create(first, 'shared-key', 'one')).body.id).not.toBe(
      (await create(second, 'shared-key', 'one')).body.id,
    );
    const invitation = await app.call('POST', '/v1/account/team/invitations', {
      headers: { ...first.headers, 'idempotency-key': 'shared-key' },
      body: { email: freshEmail() },
    });
    expect([invitation.status, invitation.body.code]).toEqual([409, 'idempotency_key_reused']);
  });

  test('422 for a key that is empty, too long or not printable ASCII without spaces', async () => {
    const person = await signIn(app);
    for (const [key, type] of [
      ['', 'string_too_short'],
      ['x'.repeat(256), 'string_too_long'],
      ['with a space', 'string_pattern_mismatch'],
    ] as const) {
      const { status, body } = await create(person, key, 'one');
      expect([status, body.detail[0].type, body.detail[0].loc]).toEqual([
        422,
        type,
        ['header', 'idempotency-key'],
      ]);
    }
  });

  test('a refused request leaves the key unused', async () => {
    const person = await signIn(app);
    const refused = await app.call('POST', '/v1/api-keys', {
      headers: { ...person.headers, 'idempotency-key': 'second-chance' },
      body: { name: '', scopes: [] },
    });
    expect(refused.status).toBe(422);
    expect((await create(person, 'second-chance', 'one')).status).toBe(201);
  });

  test('of a hundred concurrent requests one is executed; the others get its answer, or 409 until there is one', async () => {
    const person = await signIn(app);
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => create(person, 'all-at-once', 'one')),
    );
    const created = answers.filter(({ status }) => status === 201);
    expect(new Set(created.map(({ text }) => text)).size).toBe(1);
    const early = answers.filter(({ status }) => status === 409);
    expect(created.length + early.length).toBe(100);
    for (const { body, headers } of early) {
      expect([body.code, headers['retry-after']]).toEqual(['idempotency_in_progress', '1']);
    }
    expect((await create(person, 'all-at-once', 'one')).body).toEqual(created[0]?.body);
    expect(await keysOf(person)).toHaveLength(1);
  });

  test('of two different requests with the same key, each sent fifty times at once, only one is executed', async () => {
    const person = await signIn(app);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => create(person, 'two-minds', index % 2 === 0 ? 'one' : 'two')),
    );
    for (const { status } of answers) expect([201, 409]).toContain(status);
    expect(await keysOf(person)).toHaveLength(1);
  });

  test('the stored answer is encrypted, and expires after 24 hours', async () => {
    const person = await signIn(app);
    const { body } = await create(person, 'sealed-answer', 'one');
    const stored = JSON.stringify(
      await db.query('select * from idempotency_keys where workspace_id = $1', [person.workspaceId]),
    );
    expect(stored).not.toContain(body.plaintext_key);
    const { seconds } = await db.one<{ seconds: number }>(
      'select extract(epoch from expires_at - created_at)::integer as seconds from idempotency_keys where workspace_id = $1',
      [person.workspaceId],
    );
    expect(seconds).toBe(24 * 3600);
    await db.query(
      "update idempotency_keys set expires_at = now() - interval '1 second' where workspace_id = $1",
      [person.workspaceId],
    );
    const later = await create(person, 'sealed-answer', 'two');
    expect([later.status, later.headers['idempotent-replayed']]).toEqual([201, undefined]);
  });
});

describe('a retry after a lost answer, with the limit used up', () => {
  /** The windows of limits do not end during these tests. */
  const fixed = { clock: () => new Date('2026-03-01T12:30:00Z') };
  const answerTwice = async (limited: TestApp, path: string, body: object, ip: string) => {
    const send = (key: string) =>
      limited.call('POST', path, { headers: { 'idempotency-key': key }, body, ip });
    return {
      first: await send('lost-answer'),
      again: await send('lost-answer'),
      next: await send('new-one'),
    };
  };

  test('of a registration gets the stored answer with its API key; a new request gets 429', async () => {
    const limited = await buildTestApp(db, fixed, { REGISTRATIONS_PER_HOUR: '1' });
    const body = { email: freshEmail() };
    const { first, again, next } = await answerTwice(limited, '/v1/auth/register', body, '203.0.113.61');
    expect([first.status, again.status, next.status]).toEqual([201, 201, 429]);
    expect(again.body.api_key).toBe(first.body.api_key);
  });

  test('of a demo gets the stored poll URL; a new request gets 429', async () => {
    const [path, body, ip] = ['/v1/demo/analyze/url', { url: 'https://audio.example/a.mp3' }, '203.0.113.62'];
    const limited = await buildTestApp(db, fixed);
    for (let n = 0; n < 4; n += 1) expect((await limited.call('POST', path, { body, ip })).status).toBe(202);
    const { first, again, next } = await answerTwice(limited, path, body, ip);
    expect([first.status, again.status, next.status]).toEqual([202, 202, 429]);
    expect(again.body).toEqual(first.body);
  });
});
