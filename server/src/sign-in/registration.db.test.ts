import { errorCodesOf, submitEmailVerificationPage } from '@earshot/contract';
import { describe, expect, test } from 'vitest';
import { AppError } from '../errors.ts';
import { DAY_MS } from '../platform/time-units.ts';
import { createTestDatabase } from '../test/database.ts';
import { collectMail } from '../test/dependencies.ts';
import { buildTestApp, freshEmail, register, signIn } from '../test/test-app.ts';

const { db } = await createTestDatabase({ connectionsMax: 20 });
const app = await buildTestApp(db);

describe('POST /v1/auth/register', () => {
  test('201 with the key, which works at once as X-API-Key, as bearer, and as both together', async () => {
    const email = freshEmail();
    const { status, body } = await app.call('POST', '/v1/auth/register', { body: { email } });
    expect(status).toBe(201);
    expect(body).toEqual({
      user_id: expect.stringMatching(/^usr_/),
      workspace_id: expect.stringMatching(/^ws_/),
      email,
      api_key: expect.stringMatching(/^es_live_[0-9A-Za-z]{36}$/),
      api_key_id: expect.stringMatching(/^key_/),
      prefix: body.api_key.slice(0, 12),
      tier: 'free',
      email_verified: false,
      verification_required: false,
      webhook_signing_secret: expect.stringMatching(/^whsec_/),
      dev_verification_token: expect.any(String),
    });
    const credentials: Record<string, string>[] = [
      { 'x-api-key': body.api_key },
      { authorization: `Bearer ${body.api_key}` },
      { 'x-api-key': body.api_key, authorization: `Bearer ${body.api_key}` },
    ];
    for (const headers of credentials) {
      expect((await app.call('GET', '/v1/usage', { headers })).status).toBe(200);
    }
  });

  test('the key has every scope but audit:read; the account has a customer and a hundred free analyses', async () => {
    const person = await register(app);
    const [key] = await db.query('select scopes from api_keys where workspace_id = $1', [person.workspaceId]);
    expect(key).toEqual({
      scopes: [
        'analyses:create',
        'analyses:read',
        'analyses:write',
        'usage:read',
        'webhooks:read',
        'webhooks:write',
      ],
    });
    const [billing] = await db.query(
      'select provider, customer_id, plan from billing_accounts where workspace_id = $1',
      [person.workspaceId],
    );
    expect(billing).toEqual({ provider: 'sandbox', customer_id: expect.any(String), plan: 'free' });
    const usage = await app.call('GET', '/v1/usage', { headers: person.headers });
    expect(usage.body).toMatchObject({ limit: 100, count: 0, remaining: 100, tier: 'free' });
  });

  test('signing in by code later leads to the same user and workspace', async () => {
    const person = await register(app);
    const session = await signIn(app, person.email);
    expect(session).toMatchObject({ userId: person.userId, workspaceId: person.workspaceId });
  });

  test('409 when the address exists, regardless of case', async () => {
    const { email } = await register(app);
    const { status, body } = await app.call('POST', '/v1/auth/register', {
      body: { email: email.toUpperCase().replace(/@.*/, '@EARSHOT.TEST') },
    });
    expect([status, body.code]).toEqual([409, 'email_exists']);
  });

  test('422 names missing and unknown fields', async () => {
    const missing = await app.call('POST', '/v1/auth/register', { body: {} });
    expect([missing.status, missing.body.detail]).toEqual([
      422,
      [{ type: 'missing', loc: ['body', 'email'], msg: 'Field required', input: {} }],
    ]);
    const extra = await app.call('POST', '/v1/auth/register', {
      body: { email: freshEmail(), role: 'owner', credits: 9 },
    });
    expect(extra.body.detail).toEqual([
      {
        type: 'extra_forbidden',
        loc: ['body', 'role'],
        msg: 'Extra inputs are not permitted',
        input: 'owner',
      },
      { type: 'extra_forbidden', loc: ['body', 'credits'], msg: 'Extra inputs are not permitted', input: 9 },
    ]);
  });

  test('429 after five in an hour from one address, forged X-Forwarded-For or not; another address is not limited', async () => {
    const limited = await buildTestApp(db, {}, { REGISTRATIONS_PER_HOUR: '5' });
    const from = (ip: string) =>
      limited.call('POST', '/v1/auth/register', { body: { email: freshEmail() }, ip });
    for (let used = 0; used < 5; used += 1) expect((await from('198.51.100.1')).status).toBe(201);
    const sixth = await from('198.51.100.1');
    expect([sixth.status, sixth.body.code]).toEqual([429, 'rate_limited']);
    expect(sixth.headers['ratelimit-policy']).toBe('"registration";q=5;w=3600');
    expect((await from('198.51.100.2')).status).toBe(201);
    const forged = await limited.call('POST', '/v1/auth/register', {
      body: { email: freshEmail() },
      ip: '198.51.100.1',
      headers: { 'x-forwarded-for': '192.0.2.1' },
    });
    expect(forged.status).toBe(429);
  });

  test('a registration that loses the race for its address leaves no payment customer behind', async () => {
    const { payments } = app.deps;
    const created: string[] = [];
    const deleted: string[] = [];
    const email = freshEmail();
    const racing = await buildTestApp(db, {
      payments: {
        ...payments,
        async createCustomer(input) {
          // Another registration of the address succeeds during this call.
          if (created.length === 0) await register(app, email);
          const { customerId } = await payments.createCustomer(input);
          created.push(customerId);
          return { customerId };
        },
        async deleteCustomer({ customerId }) {
          deleted.push(customerId);
        },
      },
    });
    const lost = await racing.call('POST', '/v1/auth/register', { body: { email } });
    expect([lost.status, lost.body.code]).toEqual([409, 'email_exists']);
    expect(created).toHaveLength(1);
    expect(deleted).toEqual(created);
  });

  test('502 when the payment provider fails, and nothing is stored', async () => {
    const createCustomer = async () => {
      throw new AppError('payment_provider_failed', 'The payment provider could not be reached.');
    };
    const failing = await buildTestApp(db, { payments: { ...app.deps.payments, createCustomer } });
    const email = freshEmail();
    const { status, body } = await failing.call('POST', '/v1/auth/register', { body: { email } });
    expect([status, body.code]).toEqual([502, 'payment_provider_failed']);
    expect(await db.query('select id from users where email = $1', [email])).toEqual([]);
    expect((await register(app, email)).email).toBe(email);
  });

  test('twenty concurrent registrations of one address create one account', async () => {
    const email = freshEmail();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => app.call('POST', '/v1/auth/register', { body: { email } })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
  });
});

describe('POST /v1/auth/verify-email', () => {
  test('while verification is required a key is refused until the token is used, which works once', async () => {
    const strict = await buildTestApp(db, {}, { REQUIRE_EMAIL_VERIFICATION: 'true' });
    const email = freshEmail();
    const { body } = await strict.call('POST', '/v1/auth/register', { body: { email } });
    expect(body.verification_required).toBe(true);
    const headers = { 'x-api-key': body.api_key };
    const refused = await strict.call('GET', '/v1/usage', { headers });
    expect([refused.status, refused.body.code]).toEqual([403, 'email_not_verified']);

    const token = body.dev_verification_token;
    const verified = await strict.call('POST', '/v1/auth/verify-email', { body: { token } });
    expect([verified.status, verified.body]).toEqual([200, { verified: true, email }]);
    expect((await strict.call('GET', '/v1/usage', { headers })).status).toBe(200);
    const audit = `select target_id from audit_events where workspace_id = $1 and action = 'account.verify_email'`;
    expect(await db.query(audit, [body.workspace_id])).toEqual([{ target_id: body.user_id }]);
    const again = await strict.call('POST', '/v1/auth/verify-email', { body: { token } });
    expect([again.status, again.body.code]).toEqual([410, 'gone']);
  });

  test('410 three days after the registration', async () => {
    let nowMs = Date.parse('2026-03-01T12:00:00Z');
    const timed = await buildTestApp(db, { clock: () => new Date(nowMs) });
    const verifyNew = async (ageMs: number) => {
      const { body } = await timed.call('POST', '/v1/auth/register', { body: { email: freshEmail() } });
      nowMs += ageMs;
      const token = body.dev_verification_token;
      return (await timed.call('POST', '/v1/auth/verify-email', { body: { token } })).status;
    };
    expect(await verifyNew(3 * DAY_MS - 1)).toBe(200);
    expect(await verifyNew(3 * DAY_MS)).toBe(410);
  });

  test('404 for an unknown token', async () => {
    const { status, body } = await app.call('POST', '/v1/auth/verify-email', {
      body: { token: 'never-sent' },
    });
    expect([status, body.code]).toEqual([404, 'not_found']);
  });

  test('with a mail transport the token is not in the response', async () => {
    const mailing = await buildTestApp(db, { mailer: collectMail() });
    const registered = await mailing.call('POST', '/v1/auth/register', { body: { email: freshEmail() } });
    expect(registered.body.dev_verification_token).toBeNull();
  });

  test('the page of the mailed link escapes its token, and its button confirms once', async () => {
    const { body } = await app.call('POST', '/v1/auth/register', { body: { email: freshEmail() } });
    const token = body.dev_verification_token;
    const page = await app.call('GET', `/verify-email?token=${encodeURIComponent(`${token}"><script>`)}`);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.text).not.toContain('<script>');
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const press = (sent: string) => app.call('POST', '/verify-email', { headers, body: `token=${sent}` });
    const pressed = await press(token);
    expect([pressed.status, pressed.text.includes(body.email)]).toEqual([200, true]);
    expect([(await press(token)).status, (await press('never-sent')).status]).toEqual([410, 410]);
  });

  test('the page of the mailed link is 503 and not 410 while the database is unreachable', async () => {
    const transaction = () => Promise.reject(new AppError('unavailable', 'The database is unreachable.'));
    const unreachable = await buildTestApp({ ...db, transaction });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const refused = await unreachable.call('POST', '/verify-email', { headers, body: 'token=x' });
    expect([refused.status, refused.body.code]).toEqual([503, 'unavailable']);
    expect(errorCodesOf(submitEmailVerificationPage)).toContain('unavailable');
  });
});
