import { describe, expect, test } from 'vitest';
import { findQueuedMail } from '../mail/outbox.ts';
import { DAY_MS, HOUR_MS } from '../platform/time-units.ts';
import { createTestDatabase } from '../test/database.ts';
import { collectMail } from '../test/dependencies.ts';
import { buildTestApp, freshEmail, register, signIn } from '../test/test-app.ts';

const { db } = await createTestDatabase({ connectionsMax: 20 });
/** How long a code is valid. */
const CODE_MS = 10 * 60_000;
let nowMs = Date.parse('2026-03-01T12:00:00Z');
const clock = () => new Date(nowMs);
const app = await buildTestApp(db, { clock });

async function start(email: string, ip = '203.0.113.7') {
  return app.call('POST', '/v1/auth/email/start', { body: { email }, ip });
}

async function verify(challengeId: string, code: string) {
  return app.call('POST', '/v1/auth/email/verify', { body: { challenge_id: challengeId, code } });
}

function wrong(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0');
}

describe('POST /v1/auth/email/start', () => {
  test('200 for known and unknown addresses alike, with the code while no mail is delivered', async () => {
    const known = await signIn(app);
    const forKnown = await start(known.email);
    const forUnknown = await start(freshEmail());
    for (const { status, body } of [forKnown, forUnknown]) {
      expect(status).toBe(200);
      expect(body).toEqual({
        challenge_id: expect.stringMatching(/^chl_[0-9a-z]{26}$/),
        dev_code: expect.stringMatching(/^\d{6}$/),
        expires_at: new Date(nowMs + CODE_MS).toISOString(),
      });
    }
  });

  test('with a mail transport the code is only in the mail', async () => {
    const mailing = await buildTestApp(db, { clock, mailer: collectMail() });
    const email = freshEmail();
    const { body } = await mailing.call('POST', '/v1/auth/email/start', {
      body: { email },
      ip: '203.0.113.99',
    });
    expect(body).toEqual({
      challenge_id: expect.any(String),
      dev_code: null,
      expires_at: expect.any(String),
    });
    const { id } = await db.one<{ id: string }>('select id from mail_outbox where recipient = $1', [email]);
    const mail = await findQueuedMail(db, mailing.deps, id);
    const code = /\b\d{6}\b/.exec(mail?.bodyText ?? '')?.[0] ?? '';
    expect((await verify(body.challenge_id, code)).status).toBe(200);
  });

  test('422 for text that is not an e-mail address', async () => {
    const { status, body } = await start('nobody');
    expect(status).toBe(422);
    expect(body.detail).toEqual([
      {
        type: 'value_error',
        loc: ['body', 'email'],
        msg: 'value is not a valid email address: An email address must have an @-sign.',
        input: 'nobody',
        ctx: { reason: 'An email address must have an @-sign.' },
      },
    ]);
  });

  test('one requester gets five challenges an hour for an address, regardless of case, then the newest again five times, then 429', async () => {
    const email = freshEmail();
    let newest = '';
    for (let used = 0; used < 5; used += 1) newest = (await start(email)).body.challenge_id;
    for (let again = 0; again < 5; again += 1) {
      const { status, body } = await start(email.toUpperCase());
      expect([status, body.challenge_id]).toEqual([200, newest]);
    }
    const refused = await start(email.toUpperCase());
    expect(refused.status).toBe(429);
    expect(refused.body.code).toBe('rate_limited');
    // Windows are full hours.
    const leftSeconds = Math.ceil((HOUR_MS - (nowMs % HOUR_MS)) / 1_000);
    expect(refused.headers).toMatchObject({
      'retry-after': String(leftSeconds),
      'ratelimit-policy': '"sign-in-address-hour";q=5;w=3600',
      ratelimit: `"sign-in-address-hour";r=0;t=${leftSeconds}`,
    });
    nowMs += HOUR_MS;
    // Requests refused by the hourly limit do not count for the daily one.
    for (let used = 5; used < 10; used += 1) expect((await start(email)).status).toBe(200);
    nowMs += HOUR_MS;
    const eleventh = await start(email);
    expect([eleventh.status, eleventh.headers['ratelimit-policy']]).toEqual([
      429,
      '"sign-in-address-day";q=10;w=86400',
    ]);
  });

  test('a stranger who requests codes neither locks the owner out nor invalidates their code', async () => {
    const email = freshEmail();
    const { body: owners } = await start(email, '198.51.100.7');
    for (let used = 0; used < 12; used += 1) await start(email, '203.0.113.66');
    expect((await verify(owners.challenge_id, owners.dev_code)).status).toBe(200);
    expect((await start(email, '198.51.100.7')).status).toBe(200);
  });

  test('an owner with the same IP address as a stranger can get the newest challenge again, even when it has expired', async () => {
    const email = freshEmail();
    let newest = '';
    for (let used = 0; used < 5; used += 1) newest = (await start(email)).body.challenge_id;
    nowMs += CODE_MS;
    const { status, body } = await start(email);
    expect([status, body.challenge_id]).toEqual([200, newest]);
    expect((await verify(body.challenge_id, body.dev_code)).status).toBe(200);
  });

  test('a reissued code gives no extra guesses', async () => {
    const email = freshEmail();
    for (let used = 0; used < 5; used += 1) await start(email);
    let guessCount = 0;
    for (let again = 0; again < 5; again += 1) {
      const { status, body } = await start(email);
      if (status !== 200) break;
      for (let tries = 0; tries < 2; tries += 1)
        guessCount += (await verify(body.challenge_id, wrong(body.dev_code))).status === 401 ? 1 : 0;
    }
    // The fifth wrong guess is the last and is answered 429.
    expect(guessCount).toBe(4);
    expect((await start(email)).status).toBe(429);
  });

  test.each([
    ['machine', '198.51.100.9', '198.51.100.9'],
    ['IPv6 network', '2001:db8:0:1::9', '2001:db8:0:1::a'],
  ])(
    'all machines together get twenty challenges an hour for an address, except a %s from which its owner has signed in',
    async (_, ip, laterIp) => {
      const email = freshEmail();
      const { body: first } = await start(email, ip);
      const body = { challenge_id: first.challenge_id, code: first.dev_code };
      expect((await app.call('POST', '/v1/auth/email/verify', { body, ip })).status).toBe(200);
      const statuses: number[] = [];
      for (let machine = 1; machine <= 25; machine += 1)
        statuses.push((await start(email, `203.0.113.${100 + machine}`)).status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(19);
      expect((await start(email, laterIp)).status).toBe(200);
    },
  );

  test('all machines together get forty challenges a day for an address', async () => {
    const email = freshEmail();
    let machine = 0;
    const startElsewhere = () => {
      machine += 1;
      return start(email, `198.18.0.${machine}`);
    };
    for (const _hour of [1, 2]) {
      for (let used = 0; used < 20; used += 1) expect((await startElsewhere()).status).toBe(200);
      nowMs += HOUR_MS;
    }
    const refused = await startElsewhere();
    expect([refused.status, refused.headers['ratelimit-policy']]).toEqual([
      429,
      '"sign-in-address-day-all";q=40;w=86400',
    ]);
  });

  test('429 after twenty challenges for one IPv6 network when codes are mailed', async () => {
    const mailing = await buildTestApp(db, { clock, mailer: collectMail() });
    const startFrom = (ip: string) =>
      mailing.call('POST', '/v1/auth/email/start', { body: { email: freshEmail() }, ip });
    for (let used = 0; used < 20; used += 1)
      expect((await startFrom(`2001:db8:1:2::${used + 1}`)).status).toBe(200);
    expect((await startFrom('2001:db8:1:2::ffff')).status).toBe(429);
    expect((await startFrom('2001:db8:1:3::1')).status).toBe(200);
  });
});

describe('POST /v1/auth/email/verify', () => {
  test('200 with a bearer token and a cookie; the first sign-in creates the account, later ones find it', async () => {
    const email = freshEmail('Ada.L');
    const { body: challenge } = await start(email);
    const answer = await verify(challenge.challenge_id, challenge.dev_code);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      email,
      expires_at: new Date(nowMs + 30 * DAY_MS).toISOString(),
      user_id: expect.stringMatching(/^usr_/),
      workspace_id: expect.stringMatching(/^ws_/),
      access_token: expect.stringMatching(/^es_sess_[\w-]{43}$/),
      token_type: 'bearer',
      set_aside: null,
    });
    expect(answer.headers['set-cookie']).toMatch(
      /^earshot_session=es_sess_[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
    );
    const again = await signIn(app, email.toLowerCase());
    expect(again).toMatchObject({ userId: answer.body.user_id, workspaceId: answer.body.workspace_id });
    expect(again.token).not.toBe(answer.body.access_token);
  });

  test('under https the cookie is Secure and has the prefix __Host-', async () => {
    const secure = await buildTestApp(db, { clock }, { BASE_URL: 'https://earshot.test' });
    const email = freshEmail();
    const started = await secure.call('POST', '/v1/auth/email/start', { body: { email } });
    const { challenge_id, dev_code: code } = started.body;
    const { headers } = await secure.call('POST', '/v1/auth/email/verify', { body: { challenge_id, code } });
    expect(headers['set-cookie']).toMatch(/^__Host-earshot_session=.*; HttpOnly; Secure; SameSite=Lax$/);
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
  });

  test('401 with the same body for a wrong, used, replaced, expired or unknown code', async () => {
    const email = freshEmail();
    const { body: first } = await start(email);
    const answers = [await verify(first.challenge_id, wrong(first.dev_code))];
    const { body: second } = await start(email);
    answers.push(await verify(first.challenge_id, first.dev_code));
    expect((await verify(second.challenge_id, second.dev_code)).status).toBe(200);
    answers.push(await verify(second.challenge_id, second.dev_code));
    const { body: third } = await start(email);
    // This address has an account by now; at the first wrong code it had none.
    answers.push(await verify(third.challenge_id, wrong(third.dev_code)));
    nowMs += CODE_MS;
    answers.push(await verify(third.challenge_id, third.dev_code));
    answers.push(await verify('chl_00000000000000000000000000', '123456'));
    for (const { status, body, headers } of answers) {
      expect(status).toBe(401);
      expect(headers['www-authenticate']).toBe('Bearer realm="earshot"');
      const { request_id, ...rest } = body;
      expect(rest).toEqual({
        detail: 'The code is wrong or no longer valid. Check it, or ask for a new one.',
        code: 'unauthorized',
      });
    }
  });

  test('a code is valid until just before ten minutes have passed, with spaces around it, too', async () => {
    const { body } = await start(freshEmail());
    nowMs += CODE_MS - 1;
    expect((await verify(body.challenge_id, ` ${body.dev_code} `)).status).toBe(200);
  });

  test('a code sent before SECRET_KEY was rotated is accepted while SECRET_KEY_SECOND has the old key', async () => {
    const SECRET_KEY = 'the secret key after the rotation of this test';
    const { body: first } = await start(freshEmail());
    const { body: second } = await start(freshEmail());
    const rotating = await buildTestApp(
      db,
      { clock },
      { SECRET_KEY, SECRET_KEY_SECOND: app.deps.config.secretKey },
    );
    const rotated = await buildTestApp(db, { clock }, { SECRET_KEY });
    const verifyBy = async (target: typeof app, { challenge_id, dev_code: code }: Record<string, string>) =>
      (await target.call('POST', '/v1/auth/email/verify', { body: { challenge_id, code } })).status;
    expect(await verifyBy(rotating, first)).toBe(200);
    expect(await verifyBy(rotated, second)).toBe(401);
  });

  test('stores at most 400 characters of the User-Agent header', async () => {
    const { body } = await start(freshEmail());
    const verified = await app.call('POST', '/v1/auth/email/verify', {
      body: { challenge_id: body.challenge_id, code: body.dev_code },
      headers: { 'user-agent': 'x'.repeat(1_000) },
    });
    const [session] = await db.query('select user_agent from sessions where user_id = $1', [
      verified.body.user_id,
    ]);
    expect(session).toEqual({ user_agent: 'x'.repeat(400) });
  });

  test('of a hundred concurrent guesses five are checked, and then even the right code is refused', async () => {
    const { body: challenge } = await start(freshEmail());
    const guesses = Array.from({ length: 100 }, () =>
      verify(challenge.challenge_id, wrong(challenge.dev_code)),
    );
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    // The fifth wrong guess is already answered 429: a new code is needed.
    expect(statuses.filter((status) => status === 401)).toHaveLength(4);
    expect(statuses.filter((status) => status === 429)).toHaveLength(96);
    const right = await verify(challenge.challenge_id, challenge.dev_code);
    expect([right.status, right.body.code]).toEqual([429, 'too_many_attempts']);
    expect(right.headers).toMatchObject({
      'retry-after': '1',
      ratelimit: '"sign-in-code";r=0;t=1',
      'ratelimit-policy': '"sign-in-code";q=5;w=600',
    });
    const [row] = await db.query('select tries, consumed_at from sign_in_challenges where id = $1', [
      challenge.challenge_id,
    ]);
    expect(row).toEqual({ tries: 5, consumed_at: null });
  });

  test('of twenty concurrent requests with the right code exactly one gets a session', async () => {
    const { body: challenge } = await start(freshEmail());
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => verify(challenge.challenge_id, challenge.dev_code)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    // 401 for those whose try was counted, 429 for the others.
    expect(answers.filter(({ status }) => status === 401 || status === 429)).toHaveLength(19);
  });

  test('a concurrent sign-in and registration of a new address create one account', async () => {
    const email = freshEmail();
    const { body: challenge } = await start(email);
    const [verified, registered] = await Promise.all([
      verify(challenge.challenge_id, challenge.dev_code),
      app.call('POST', '/v1/auth/register', { body: { email } }),
    ]);
    expect(verified.status).toBe(200);
    expect([201, 409]).toContain(registered.status);
    const users = await db.query('select id from users where lower(email) = lower($1)', [email]);
    expect(users).toHaveLength(1);
  });
});

describe('GET /v1/auth/session and POST /v1/auth/logout', () => {
  test('200 with exactly the five fields; after logout the token is refused', async () => {
    const person = await signIn(app);
    const session = await app.call('GET', '/v1/auth/session', { headers: person.headers });
    expect(session.status).toBe(200);
    expect(session.body).toEqual({
      email: person.email,
      expires_at: expect.any(String),
      user_id: person.userId,
      workspace_id: person.workspaceId,
      workspace_role: 'owner',
    });
    const out = await app.call('POST', '/v1/auth/logout', { headers: person.headers });
    expect([out.status, out.body]).toEqual([200, { revoked: true }]);
    expect(out.headers['set-cookie']).toMatch(/^earshot_session=; Path=\/; Max-Age=0; HttpOnly/);
    expect((await app.call('GET', '/v1/auth/session', { headers: person.headers })).status).toBe(401);
  });

  test('a session ends after thirty days', async () => {
    const person = await signIn(app);
    nowMs += 30 * DAY_MS - 1;
    expect((await app.call('GET', '/v1/auth/session', { headers: person.headers })).status).toBe(200);
    nowMs += 1;
    expect((await app.call('GET', '/v1/auth/session', { headers: person.headers })).status).toBe(401);
  });

  test('the cookie is accepted for reads, and for changes only from the same origin', async () => {
    const { token } = await signIn(app);
    const cookie = `earshot_session=${token}`;
    const read = await app.call('GET', '/v1/auth/session', { headers: { cookie } });
    expect(read.status).toBe(200);
    const refused: Record<string, string>[] = [
      {},
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site', host: 'app.localhost', origin: 'http://app.localhost' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'null' },
    ];
    for (const headers of refused) {
      const answer = await app.call('POST', '/v1/auth/logout', { headers: { cookie, ...headers } });
      expect([answer.status, answer.body.code]).toEqual([403, 'cross_origin_cookie']);
    }
    const sameOrigin = await app.call('POST', '/v1/auth/logout', {
      headers: { cookie, host: 'app.localhost', origin: 'http://app.localhost' },
    });
    expect(sameOrigin.status).toBe(200);
  });
});

describe('secrets at rest', () => {
  test('the database contains neither session tokens nor keys, and only hashes of codes', async () => {
    const email = freshEmail();
    const { body: challenge } = await start(email);
    const { body: session } = await verify(challenge.challenge_id, challenge.dev_code);
    const { key } = await register(app);
    const tables = await db.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public'",
    );
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['api_keys', 'sessions']));
    for (const { name } of tables) {
      const rows = JSON.stringify(await db.query(`select * from ${name}`));
      expect(rows).not.toContain(session.access_token);
      expect(rows).not.toContain(key);
    }
    const [row] = await db.query<{ code_hash: string }>(
      'select code_hash from sign_in_challenges where id = $1',
      [challenge.challenge_id],
    );
    expect(row?.code_hash).toMatch(/^[0-9a-f]{64}$/);
  });
});
