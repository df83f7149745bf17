import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { afterAll, expect, it } from 'vitest';
import type { Database } from '../../platform/postgres.ts';
import { createTestClient } from '../client.ts';
import { createTestDatabase } from '../database.ts';
import { startReceiver } from '../local-server.ts';
import { startServiceProcess } from '../service-process.ts';
import { startStripeStandIn } from '../stripe-stand-in.ts';
import { until } from '../until.ts';
import { makeWav } from '../wav.ts';

/**
 * Collects every secret of one journey, given by the operator or made by the service, and searches for it where it must not be: in the
 * logs at level trace, in every row of every table, and in error answers.
 */

const marker = (name: string) => `${name}${randomBytes(12).toString('hex')}`;
const planted = {
  smtpPassword: marker('smtp'),
  stripeKey: `sk_test_${marker('')}`,
  stripeWebhookSecret: `whsec_${marker('')}`,
  secretKey: marker('the-master-key-'),
  acoustidKey: marker('acoustid'),
};

const mails: string[] = [];
let mailRefused = true;
const smtp = new SMTPServer({
  disabledCommands: ['STARTTLS'],
  allowInsecureAuth: true,
  onAuth: ({ password }, _session, done) =>
    done(password === planted.smtpPassword ? null : new Error('Wrong password'), { user: 'earshot' }),
  onRcptTo: ({ address }, _session, done) =>
    done(mailRefused ? Object.assign(new Error(`Try later <${address}>`), { responseCode: 451 }) : null),
  async onData(stream, _session, done) {
    const quoted = Buffer.concat(await stream.toArray()).toString();
    mails.push(quoted.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '='));
    done();
  },
});
smtp.on('error', () => {});
smtp.listen(0, '127.0.0.1');
await once(smtp.server, 'listening');
const { port: smtpPort } = smtp.server.address() as AddressInfo;
const stripe = await startStripeStandIn();
const { db, url: databaseUrl } = await createTestDatabase();
const dataDir = await mkdtemp(join(tmpdir(), 'earshot-secrets-'));
const service = await startServiceProcess('all', {
  DATABASE_URL: databaseUrl,
  DATA_DIR: dataDir,
  LOG_LEVEL: 'trace',
  SECRET_KEY: planted.secretKey,
  SMTP_URL: `smtp://earshot:${planted.smtpPassword}@127.0.0.1:${smtpPort}`,
  STRIPE_SECRET_KEY: planted.stripeKey,
  STRIPE_WEBHOOK_SECRET: planted.stripeWebhookSecret,
  STRIPE_PRICE_PRO: 'price_pro',
  STRIPE_PRICE_SCALE: 'price_scale',
  STRIPE_API_BASE: stripe.url,
  ACOUSTID_API_KEY: planted.acoustidKey,
  ALLOW_PRIVATE_TARGETS: '127.0.0.1/32',
  STOP_GRACE_SECONDS: '0',
});
let output = service.banner.join('\n');
for (const stream of [service.child.stdout, service.child.stderr]) {
  stream?.on('data', (chunk: Buffer) => {
    output += chunk;
  });
}
afterAll(async () => {
  service.kill('SIGTERM');
  await service.ended;
  await new Promise<void>((resolve) => smtp.close(resolve));
  await rm(dataDir, { recursive: true, force: true });
});

/** Every row of every table as text. */
async function dump(from: Database): Promise<string> {
  const tables = await from.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  const rows = await Promise.all(
    tables.map(({ name }) => from.query<{ row: string }>(`select t::text as row from "${name}" t`)),
  );
  return rows
    .flat()
    .map(({ row }) => row)
    .join('\n');
}

/** The secret itself, and its URL-encoded and base64 forms. */
function formsOf(secret: string): string[] {
  return [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64').replace(/=+$/, '')];
}

const anonymous = createTestClient(service.url);
const email = 'marked.person@marked-domain.example';
const mailWith = (pattern: RegExp) => mails.map((mail) => pattern.exec(mail)?.[1]).find(Boolean);

it('no secret is left in logs, tables or refusals', async () => {
  const registered = await anonymous.post<Record<string, string>>('/v1/auth/register', { email });
  const started = await anonymous.post<Record<string, string>>('/v1/auth/email/start', { email });
  expect([registered.status, started.status]).toEqual([201, 200]);
  // The mails with code and token wait in the outbox, and the refusal of the SMTP server is logged.
  await until(async () => {
    const tried = await db.query(`select 1 from jobs where kind = 'mail.send' and last_error is not null`);
    return tried.length === 2;
  }, 'both mails were refused once');
  const dumps = [await dump(db)];
  mailRefused = false;
  await until(() => mails.length === 2, 'both mails have arrived');
  const code = mailWith(/^Subject: (\d{6})\b/m) ?? '';
  const verificationToken = mailWith(/verify-email\?token=([\w-]+)/) ?? '';

  // Before the first sign-in, which would otherwise set the key aside.
  const proved = await anonymous.post('/v1/auth/verify-email', { token: verificationToken });
  expect(proved.status).toBe(200);
  const session = await anonymous.post<Record<string, string>>('/v1/auth/email/verify', {
    challenge_id: started.body.challenge_id,
    code,
  });
  expect(session.status).toBe(200);
  const sessionToken = session.body.access_token ?? '';
  const apiKey = registered.body.api_key ?? '';
  const person = createTestClient(service.url, { authorization: `Bearer ${sessionToken}` });
  /** A client with a new Idempotency-Key, because stored answers contain secrets, too. */
  let requests = 0;
  const withIdempotency = () => {
    requests += 1;
    const key = `secrets-${requests}`;
    return createTestClient(service.url, { authorization: `Bearer ${sessionToken}`, 'idempotency-key': key });
  };
  const program = createTestClient(service.url, { 'x-api-key': apiKey });
  const key = await withIdempotency().post<Record<string, string>>('/v1/api-keys', {
    name: 'k',
    scopes: ['usage:read'],
  });
  const receiver = await startReceiver(() => ({ status: 500 }));
  const endpoint = await withIdempotency().post<Record<string, string>>('/v1/webhook-endpoints', {
    url: receiver.url,
  });
  const rotated = await withIdempotency().post<Record<string, string>>(
    `/v1/webhook-endpoints/${endpoint.body.id}/rotate-secret`,
    undefined,
  );
  const slot = await withIdempotency().post<Record<string, string>>('/v1/storage-objects', {
    content_type: 'audio/wav',
  });
  const signedUrl = new URL(slot.body.signed_url ?? '');
  const put = await fetch(signedUrl, {
    method: 'PUT',
    headers: { 'content-type': 'audio/wav' },
    body: new Uint8Array(makeWav({ seconds: 1 })),
  });
  expect([key.status, endpoint.status, rotated.status, slot.status, put.status]).toEqual([
    201, 201, 200, 201, 200,
  ]);
  await person.post('/v1/analyses', { storage_object_id: slot.body.id, retain_source: true });
  await until(() => receiver.calls.length > 0, 'a delivery was tried and failed');
  const demo = await anonymous.post<Record<string, string>>('/v1/demo/analyze/url', { url: receiver.url });
  const demoToken = new URL(demo.body.poll_url ?? 'http://none').searchParams.get('token') ?? '';

  // The first sweep of the worker reads Stripe's list of events, and must not use up the planted failures.
  await until(
    () => stripe.calls.some(({ path }) => path.startsWith('/v1/events')),
    'the sweep has asked Stripe',
  );
  stripe.failWith(500, 500, 500);
  const refusals = [
    await person.post('/v1/billing/checkout-sessions', { plan: 'pro' }),
    await anonymous.post('/v1/auth/email/verify', { challenge_id: started.body.challenge_id, code }),
    await anonymous.post('/v1/auth/verify-email', { token: `${verificationToken}x` }),
    await program.get('/v1/audit-events'),
    await createTestClient(service.url, { 'x-api-key': `${apiKey}x` }).get('/v1/usage'),
    await createTestClient(service.url, { authorization: `Basic ${sessionToken}` }).get('/v1/usage'),
    await anonymous.post(`/webhooks/stripe`, { id: 'evt_1' }),
    await fetch(signedUrl, { method: 'PUT', body: 'again' }).then(async (response) => ({
      status: response.status,
      body: await response.json(),
    })),
  ];
  expect(refusals.map(({ status }) => status)).toEqual([502, 401, 404, 403, 401, 401, 400, 409]);
  dumps.push(await dump(db));

  const secrets: Record<string, string> = {
    ...planted,
    apiKey,
    sessionToken,
    verificationToken,
    demoToken,
    createdKey: key.body.plaintext_key ?? '',
    defaultWebhookSecret: registered.body.webhook_signing_secret ?? '',
    endpointSecret: endpoint.body.signing_secret ?? '',
    rotatedSecret: rotated.body.signing_secret ?? '',
    uploadSignature: signedUrl.searchParams.get('signature') ?? '',
  };
  expect(Object.entries(secrets).filter(([, value]) => value.length < 20)).toEqual([]);
  const places = {
    logs: output,
    tables: dumps.join('\n'),
    refusals: JSON.stringify(refusals.map(({ body }) => body)),
  };
  const found = Object.entries(places).flatMap(([place, text]) =>
    Object.entries(secrets)
      .filter(([, secret]) => formsOf(secret).some((form) => text.includes(form)))
      .map(([name]) => `${name} in ${place}`),
  );
  expect(found).toEqual([]);
  // The six digits may be part of a time or an id; alone they would be the code.
  const alone = new RegExp(`(?<![0-9A-Za-z._-])${code}(?![0-9A-Za-z])`);
  for (const [place, text] of Object.entries(places))
    expect([place, alone.test(text)]).toEqual([place, false]);
  // The logs contain the errors, but not the address of the person.
  expect(output).toContain('Try later');
  expect(output).toContain('payment_provider_failed');
  expect(output).not.toContain(email);
  const queue = await db.query<{ row: string }>(
    'select jobs::text as row from jobs union all select job_turns::text from job_turns',
  );
  expect(queue.filter(({ row }) => row.includes('marked-domain'))).toEqual([]);
});
