/**
 * The drills of docs/operations.md, step by step as it says, with customers who keep sending songs meanwhile: every secret
 * is rotated, an older and a newer version run side by side, a backup is restored. Ends with 1 when a request failed
 * beyond a connection that is tried again, or when anything accepted did not end well.
 *   npm run build && sudo node deploy/drills/run.mjs [part of the names of some drills, separated by |]
 * Needs root and, from Debian, postgresql, rsync and the swift packages (see ../scale-out/world.mjs).
 */
import { execFileSync } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { AwsClient } from 'aws4fetch';
import pg from 'pg';
import { SMTPServer } from 'smtp-server';
import { wavBytes } from '../../scripts/wav-bytes.mjs';
import { createWorld, signalGroup } from '../scale-out/world.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const HERE = '127.0.0.1';
const folder = join(tmpdir(), 'earshot-drills');
const world = createWorld(folder, { address: HERE, postgresPort: 5439 });
/** The customers' APIs; a third one, for the drill of the sandbox, is nobody's. */
const APIS = [28191, 28192];
const SANDBOX_PORT = 28196;
const only = new RegExp(process.argv[2] ?? '');
const secret = () => randomBytes(24).toString('hex');
const say = (text) => console.log(`${new Date().toISOString().slice(11, 19)}  ${text}`);

const received = [];
const mails = [];
const smtpPasswords = new Set(['smtp-1']);
const acoustidKeys = new Set(['acoustid-1']);
const lookedUp = [];
const outside = [startReceiver(), startStripe(), startMail(), startAcoustid()];
let env = {};
const running = new Map();
let program = join(ROOT, 'server/dist/earshot.js');

let failed = false;
try {
  await main();
} catch (error) {
  console.error(error);
  failed = true;
} finally {
  for (const server of outside) server.close();
  await world.close();
}
process.exit(failed ? 1 : 0);

async function main() {
  const postgres = await world.startPostgres();
  const s3 = await world.startStore();
  await makeBucket(s3);
  const admin = new pg.Pool({ connectionString: postgres.url, max: 1 });
  await admin.query('create role earshot_owner nologin');
  await admin.query(`create role earshot_a login password 'first' in role earshot_owner`);
  await admin.query('alter role earshot_a set role = earshot_owner');
  await admin.query('create database earshot owner earshot_owner');
  const urlAs = (role, password, database = 'earshot') =>
    `postgres://${role}:${password}@${HERE}:5439/${database}`;
  env = {
    ...s3,
    DATABASE_URL: urlAs('earshot_a', 'first'),
    SECRET_KEY: secret(),
    SMTP_URL: `smtp://earshot:smtp-1@${HERE}:28195`,
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    STRIPE_API_BASE: `http://${HERE}:28194`,
    METRICS_TOKEN: secret(),
    ACOUSTID_API_KEY: 'acoustid-1',
    ACOUSTID_BASE_URL: `http://${HERE}:28197`,
    MUSICBRAINZ_BASE_URL: `http://${HERE}:28197`,
    BASE_URL: `http://${HERE}:${APIS[0]}`,
    ALLOW_PRIVATE_TARGETS: `${HERE}/32`,
    ALLOWED_PORTS: '28193',
    REGISTRATIONS_PER_HOUR: '1000',
    WORKER_CONCURRENCY: '1',
    LOG_LEVEL: 'warn',
  };
  for (const name of ['api-1', 'api-2', 'work-1', 'work-2']) await startProcess(name);
  const customer = await register();
  const owned = new pg.Pool({ connectionString: `${postgres.url.replace(/postgres$/, 'earshot')}`, max: 1 });
  await owned.query(`update billing_accounts set plan = 'scale' where workspace_id = $1`, [
    customer.workspaceId,
  ]);
  const traffic = startTraffic(customer);

  await drill('SECRET_KEY', async () => {
    const [before, after] = [env.SECRET_KEY, secret()];
    await change({ SECRET_KEY_SECOND: after });
    await change({ SECRET_KEY: after, SECRET_KEY_SECOND: before });
    say(`  ${await earshot('reseal')}`);
    await change({ SECRET_KEY_SECOND: '' });
    await traffic.more(2);
  });
  await drill('database password', async () => {
    await admin.query(`create role earshot_b login password 'second' in role earshot_owner`);
    await admin.query('alter role earshot_b set role = earshot_owner');
    await change({ DATABASE_URL: urlAs('earshot_b', 'second') });
    await admin.query('drop role earshot_a');
    await traffic.more(2);
  });
  await drill('S3 key', async () => {
    await change({ S3_ACCESS_KEY_ID: 'earshot:second', S3_SECRET_ACCESS_KEY: `${s3.S3_SECRET_ACCESS_KEY}2` });
    await traffic.more(2);
  });
  await drill('SMTP password', async () => {
    smtpPasswords.add('smtp-2');
    await change({ SMTP_URL: `smtp://earshot:smtp-2@${HERE}:28195` }, ['work-1', 'work-2']);
    smtpPasswords.delete('smtp-1');
    await expectMail('rotated@example.com');
  });
  await drill('Stripe keys', async () => {
    const both = ['whsec_1', 'whsec_2'];
    await expectEvent(both, 200);
    await change({ STRIPE_WEBHOOK_SECRET: 'whsec_2', STRIPE_SECRET_KEY: 'sk_test_2' });
    await expectEvent(both, 200);
    await expectEvent(['whsec_2'], 200);
    await expectEvent(['whsec_1'], 400);
    await register('stripe@example.com');
  });
  await drill('METRICS_TOKEN', async () => {
    const before = env.METRICS_TOKEN;
    await change({ METRICS_TOKEN: secret() });
    const status = async (token) =>
      (await fetch(`http://${HERE}:29471/metrics`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect([await status(before), await status(env.METRICS_TOKEN)], [401, 200]);
  });
  await drill('ACOUSTID_API_KEY', async () => {
    await expectLookup(customer, 'acoustid-1');
    acoustidKeys.add('acoustid-2');
    await change({ ACOUSTID_API_KEY: 'acoustid-2' }, ['work-1', 'work-2']);
    acoustidKeys.delete('acoustid-1');
    await expectLookup(customer, 'acoustid-2');
  });
  await drill('PAYMENT_WEBHOOK_SECRET', async () => {
    await admin.query('create database earshot_sandbox owner earshot_owner');
    const role = env.DATABASE_URL.includes('earshot_b') ? ['earshot_b', 'second'] : ['earshot_a', 'first'];
    const sandbox = {
      DATABASE_URL: urlAs(...role, 'earshot_sandbox'),
      STRIPE_SECRET_KEY: '',
      STRIPE_WEBHOOK_SECRET: '',
      STRIPE_API_BASE: '',
      ALLOW_DEV_CODES: 'true',
      ALLOW_SANDBOX_PAYMENTS: 'true',
      SMTP_URL: '',
    };
    await startProcess('api-3', { ...sandbox, PAYMENT_WEBHOOK_SECRET: 'sandbox-1' });
    await expectPurchase('pro');
    await expectEvent(['sandbox-1'], 200, SANDBOX_PORT);
    await stopProcess('api-3');
    await startProcess('api-3', { ...sandbox, PAYMENT_WEBHOOK_SECRET: 'sandbox-2' });
    await expectPurchase('scale');
    await expectEvent(['sandbox-2'], 200, SANDBOX_PORT);
    await expectEvent(['sandbox-1'], 400, SANDBOX_PORT);
    await stopProcess('api-3');
  });
  await drill('webhook secret of a customer', async () => {
    const endpoint = await customer.post('/v1/webhook-signing-secret/rotate', {});
    customer.secrets.push(endpoint.signing_secret);
    await traffic.more(2);
  });
  await drill('upgrade, old and new side by side', async () => {
    const newer = makeNewerVersion();
    const older = program;
    program = newer;
    say(`  ${await earshot('migrate')}`);
    program = older;
    await traffic.more(2);
    program = newer;
    for (const name of ['work-1', 'api-1']) await restart(name);
    say('  one of each version serves and works');
    await traffic.more(6);
    for (const name of ['work-2', 'api-2']) await restart(name);
    await traffic.more(2);
    program = older;
    for (const name of ['work-1', 'api-1']) await restart(name);
    say('  and back: the older one starts on the newer database');
    await traffic.more(2);
  });

  await admin.query(`create role earshot_backup login bypassrls password 'backup'`);
  await admin.query('grant pg_read_all_data to earshot_backup');
  const dump = join(folder, 'earshot.dump');
  const atDump = traffic.accepted.length;
  await drill('backup', async () => {
    run('pg_dump', '--format=custom', `--file=${dump}`, urlAs('earshot_backup', 'backup'));
  });
  await traffic.stop();
  const result = await settle(owned, customer, traffic.accepted);

  await drill('restore', async () => {
    for (const name of [...running.keys()]) await stopProcess(name);
    await admin.query('create database earshot_restored owner earshot_owner');
    const restoredUrl = urlAs('earshot_b', 'second', 'earshot_restored');
    run('pg_restore', '--no-owner', '--no-privileges', '--exit-on-error', `--dbname=${restoredUrl}`, dump);
    env = { ...env, DATABASE_URL: restoredUrl };
    say(`  ${await earshot('migrate')}`);
    for (const name of ['api-1', 'work-1']) await startProcess(name);
    const restored = new pg.Pool({
      connectionString: postgres.url.replace(/postgres$/, 'earshot_restored'),
      max: 1,
    });
    const known = traffic.accepted.slice(0, atDump);
    const ended = await settle(restored, customer, known);
    expect([ended.missing, ended.twice, ended.chargedWrongly], [0, 0, 0]);
    // The key and the webhook secret from before the backup work on what was restored.
    const [id] = [await customer.upload()];
    await until(
      async () => (await customer.get(`/v1/analysis/${id}`)).status === 'completed',
      'a new analysis',
    );
    say(
      `  ${ended.total} analyses of before the dump: ${ended.completed} completed, ${ended.failed} failed; one new`,
    );
    await restored.end();
  });
  console.table({ ...result, 'requests that failed': traffic.failures.length });
  for (const failure of traffic.failures) console.log(failure);
  failed =
    result.missing +
      result.failed +
      result.twice +
      result.chargedWrongly +
      result.untold +
      traffic.failures.length >
    0;
  await Promise.all([admin.end(), owned.end()]);
}

async function drill(name, work) {
  if (!only.test(name)) return;
  say(name);
  const startedMs = performance.now();
  await work();
  say(`  done in ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
}

/** Sets variables for every process, then restarts each in turn; an empty value removes one. */
async function change(values, names = [...running.keys()]) {
  env = Object.fromEntries(Object.entries({ ...env, ...values }).filter(([, value]) => value !== ''));
  for (const name of names) await restart(name);
}

async function restart(name) {
  await stopProcess(name);
  await startProcess(name);
}

/** An empty value of `overrides` leaves a variable out. */
async function startProcess(name, overrides = {}) {
  const [role, number] = name.split('-');
  const own = {
    PORT: String(APIS[Number(number) - 1] ?? SANDBOX_PORT),
    HOST: HERE,
    METRICS_PORT: role === 'api' ? `2947${number}` : `2948${number}`,
    DATA_DIR: join(folder, name),
  };
  const args = [program, role === 'api' ? 'serve' : 'work'];
  const settings = Object.entries({ PATH: process.env.PATH, ...env, ...own, ...overrides });
  const given = Object.fromEntries(settings.filter(([, value]) => value !== ''));
  running.set(name, world.start(name, process.execPath, args, { env: given }));
  await until(
    async () => (await fetch(`http://${HERE}:${own.METRICS_PORT}/health`).catch(() => null))?.ok === true,
    `${name} is alive`,
  );
  if (role === 'api')
    await until(
      async () => (await fetch(`http://${HERE}:${own.PORT}/ready`).catch(() => null))?.ok === true,
      `${name} is ready`,
    );
}

async function stopProcess(name) {
  const child = running.get(name);
  child.kill('SIGTERM');
  expect(await child.ended, 0);
  signalGroup(child, 'SIGKILL');
  running.delete(name);
}

function earshot(role) {
  const own = { PATH: process.env.PATH, ...env, DATA_DIR: join(folder, 'command') };
  return execFileSync(process.execPath, [program, role], { env: own, encoding: 'utf8' })
    .trim()
    .split('\n')
    .at(-1);
}

/** This version with one migration more, as the next release would have. */
function makeNewerVersion() {
  const newer = join(folder, 'newer');
  mkdirSync(newer);
  for (const part of [
    'node_modules',
    'decode',
    'engine',
    'docs',
    'dashboard',
    'contract',
    'exports',
    'package.json',
  ])
    symlinkSync(join(ROOT, part), join(newer, part));
  cpSync(join(ROOT, 'server'), join(newer, 'server'), { recursive: true });
  writeFileSync(
    join(newer, 'server/migrations/9999-drill.sql'),
    `alter table analyses add column drill text not null default 'new'; create index analyses_drill on analyses (drill);`,
  );
  return join(newer, 'server/dist/earshot.js');
}

async function register(email = 'drill@example.com') {
  const response = await fetch(`http://${HERE}:${APIS[0]}/v1/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  });
  if (response.status !== 201)
    throw new Error(`Registration answered ${response.status}: ${await response.text()}`);
  const made = await response.json();
  const headers = { 'x-api-key': made.api_key };
  const wav = readFileSync(join(ROOT, 'decode/fixtures/adpcm-ima.wav'));
  let turn = 0;
  /** To whichever API answers: one that stops refuses connections, as behind a balancer. */
  async function send(path, init) {
    for (let tries = 0; ; tries += 1) {
      turn += 1;
      const port = APIS[turn % APIS.length];
      try {
        const response = await fetch(`http://${HERE}:${port}${path}`, {
          ...init,
          headers: { ...headers, ...init.headers },
        });
        if (response.status !== 503 || tries > 20) return response;
      } catch (error) {
        if (tries > 20) throw error;
      }
      await delay(100);
    }
  }
  return {
    workspaceId: made.workspace_id,
    secrets: [made.webhook_signing_secret],
    async post(path, body) {
      const init = {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      };
      const response = await send(path, init);
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
      return response.json();
    },
    get: async (path) => (await send(path, { method: 'GET' })).json(),
    async upload() {
      const body = new FormData();
      body.set('webhook_url', `http://${HERE}:28193/hook`);
      body.set('file', new Blob([wav]), 'song.wav');
      const response = await send('/v1/analyze/upload', { method: 'POST', body });
      if (response.status !== 202)
        throw new Error(`An upload answered ${response.status}: ${await response.text()}`);
      return (await response.json()).job_id;
    },
  };
}

/** One song after another, for as long as the drills last. */
function startTraffic(customer) {
  const accepted = [];
  const failures = [];
  let on = true;
  const loop = (async () => {
    while (on) {
      await customer.upload().then(
        (id) => accepted.push(id),
        (error) => failures.push(error.message),
      );
      await delay(1_000);
    }
  })();
  return {
    accepted,
    failures,
    /** Until that many more were accepted: what a drill changed is used by then. */
    async more(count) {
      const goal = accepted.length + count;
      await until(() => accepted.length >= goal || failures.length > 0, 'more songs are accepted');
    },
    async stop() {
      on = false;
      await loop;
    },
  };
}

/** From the database and the receiver; every webhook must verify with a secret that the customer was given. */
async function settle(db, customer, ids) {
  const one = async (sql) => (await db.query(sql, [ids])).rows[0].n;
  const open = () =>
    one(`select count(*)::int as n from analyses where id = any($1) and completed_at is null`);
  await until(async () => (await open()) === 0, 'every analysis has ended', 300_000);
  const told = () =>
    new Set(received.filter(({ verified }) => verified(customer.secrets)).map(({ jobId }) => jobId));
  await until(() => ids.every((id) => told().has(id)), 'every webhook has come', 60_000).catch(() => {});
  return {
    total: ids.length,
    completed: await one(
      `select count(*)::int as n from analyses where id = any($1) and status = 'completed'`,
    ),
    failed: await one(`select count(*)::int as n from analyses where id = any($1) and status = 'failed'`),
    missing: ids.length - (await one('select count(*)::int as n from analyses where id = any($1)')),
    twice: await one(
      `select count(*)::int as n from (select analysis_id from analysis_events where analysis_id = any($1)
         and event_type in ('job.completed', 'job.failed') group by 1 having count(*) <> 1) t`,
    ),
    chargedWrongly: await one(
      `select count(*)::int as n from unnest($1::text[]) as a (id) where
         (select count(*) from credit_ledger where analysis_id = a.id and entry = 'charge') <> 1`,
    ),
    untold: ids.filter((id) => !told().has(id)).length,
  };
}

function startReceiver() {
  return createServer(async (request, response) => {
    if (request.method === 'GET') return void response.setHeader('content-type', 'audio/wav').end(makeSong());
    const body = Buffer.concat(await request.toArray()).toString();
    const verified = (secrets) =>
      secrets.some((one) => {
        try {
          // The timestamp was fresh when it came; later it is only the signature that counts.
          const headers = { ...request.headers, 'webhook-timestamp': request.headers['webhook-timestamp'] };
          const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
          const mac = createHmac('sha256', Buffer.from(one.slice(6), 'base64'))
            .update(text)
            .digest('base64');
          return headers['webhook-signature'].split(' ').includes(`v1,${mac}`);
        } catch {
          return false;
        }
      });
    received.push({ jobId: JSON.parse(body).data.job_id, verified });
    response.end();
  }).listen(28193, HERE);
}

/** Twelve seconds of a rising tone, long enough for a fingerprint: 8 kHz, 16 bits, one channel. */
function makeSong() {
  const sampleRateHz = 8_000;
  const samples = Int16Array.from({ length: 12 * sampleRateHz }, (_, n) => {
    const seconds = n / sampleRateHz;
    return Math.round(9_000 * Math.sin(2 * Math.PI * (200 + 60 * seconds) * seconds));
  });
  return wavBytes(samples, { sampleRateHz });
}

function startStripe() {
  let customers = 0;
  return createServer(async (request, response) => {
    await request.toArray();
    customers += 1;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ id: `cus_${customers}`, object: 'customer', data: [], has_more: false }));
  }).listen(28194, HERE);
}

/** Believes the keys of the moment. */
function startAcoustid() {
  return createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const { searchParams } = new URL(request.url, 'http://acoustid');
    const key = searchParams.get('client') ?? new URLSearchParams(body).get('client');
    const known = acoustidKeys.has(key);
    lookedUp.push(`${key}: ${known ? 'known' : 'unknown'}`);
    response.writeHead(known ? 200 : 400, { 'content-type': 'application/json' });
    response.end(JSON.stringify(known ? { status: 'ok', results: [] } : { status: 'error' }));
  }).listen(28197, HERE);
}

function startMail() {
  const server = new SMTPServer({
    authOptional: false,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ password }, _session, done) =>
      smtpPasswords.has(password) ? done(null, { user: 'earshot' }) : done(new Error('wrong password')),
    onData(stream, session, done) {
      stream.resume().on('end', () => {
        mails.push(session.envelope.rcptTo[0].address);
        done();
      });
    },
  });
  server.listen(28195, HERE);
  return server;
}

async function expectMail(address) {
  const response = await fetch(`http://${HERE}:${APIS[0]}/v1/auth/email/start`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: address }),
  });
  expect(response.ok, true);
  await until(() => mails.includes(address), `a mail to ${address}`);
}

/** An event as Stripe sends it while a secret is rolled: one signature per valid secret. */
async function expectEvent(secrets, status, port = APIS[0]) {
  const body = JSON.stringify({
    id: `evt_${randomBytes(8).toString('hex')}`,
    object: 'event',
    type: 'product.created',
    created: Math.floor(Date.now() / 1000),
    data: { object: { id: 'prod_1', object: 'product' } },
  });
  const t = Math.floor(Date.now() / 1000);
  const sign = (one) => createHmac('sha256', one).update(`${t}.${body}`).digest('hex');
  const signature = [`t=${t}`, ...secrets.map((one) => `v1=${sign(one)}`)].join(',');
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
  const url = `http://${HERE}:${port}/v1/billing/stripe/webhook`;
  const response = await fetch(url, { method: 'POST', headers, body });
  expect([secrets.join(), response.status], [secrets.join(), status]);
}

/** Somebody signs in, buys a plan on the sandbox's own page, and has it: the event was signed and believed. */
async function expectPurchase(plan) {
  const call = async (path, body, headers = {}) => {
    const response = await fetch(`http://${HERE}:${SANDBOX_PORT}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await response.text();
    if (response.status >= 400) throw new Error(`${path} answered ${response.status}: ${text}`);
    return text === '' || response.status === 303 ? {} : JSON.parse(text);
  };
  const email = `${plan}@example.com`;
  const { challenge_id, dev_code } = await call('/v1/auth/email/start', { email });
  const { access_token } = await call('/v1/auth/email/verify', { challenge_id, code: dev_code });
  const bearer = { authorization: `Bearer ${access_token}` };
  const urls = { success_url: 'https://example.com/', cancel_url: 'https://example.com/' };
  const { url } = await call('/v1/billing/checkout-sessions', { plan, ...urls }, bearer);
  await call(new URL(url).pathname, 'action=pay', { 'content-type': 'application/x-www-form-urlencoded' });
  const response = await fetch(`http://${HERE}:${SANDBOX_PORT}/v1/billing/status`, { headers: bearer });
  expect((await response.json()).plan, plan);
}

/** An analysis that asks AcoustID does so with this key. */
async function expectLookup(customer, key) {
  const before = lookedUp.length;
  const source = { source_url: `http://${HERE}:28193/song.wav`, enrich: ['acoustid'] };
  const { id } = await customer.post('/v1/analyses', source);
  await until(
    async () => (await customer.get(`/v1/analyses/${id}`)).status === 'completed',
    'the analysis with a look-up',
  );
  expect([...new Set(lookedUp.slice(before))], [`${key}: known`]);
}

async function makeBucket(s3) {
  const client = new AwsClient({
    accessKeyId: s3.S3_ACCESS_KEY_ID,
    secretAccessKey: s3.S3_SECRET_ACCESS_KEY,
    region: 'us-east-1',
    service: 's3',
  });
  expect((await client.fetch(`${s3.S3_ENDPOINT}/${s3.S3_BUCKET}`, { method: 'PUT' })).status, 200);
}

function run(command, ...args) {
  execFileSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
}

function expect(actual, wanted) {
  const [left, right] = [JSON.stringify(actual), JSON.stringify(wanted)];
  if (left !== right) throw new Error(`Expected ${right}, got ${left}`);
}

async function until(condition, what, withinMs = 120_000) {
  for (const deadlineMs = performance.now() + withinMs; !(await condition()); await delay(100)) {
    if (performance.now() > deadlineMs) throw new Error(`Not within ${withinMs} ms: ${what}`);
  }
}
