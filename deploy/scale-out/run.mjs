/**
 * Two API and three worker processes on separate hosts (world.mjs): throughput with one, two and three workers, and the outcome of a run
 * in which workers are killed and disconnected. `npm run build && sudo node deploy/scale-out/run.mjs`. Prints a table for
 * docs/scaling.md; exits with 1 when an analysis was lost, ended twice, wrongly charged or not reported by a webhook.
 */
import { createServer } from 'node:http';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { wavBytes } from '../../scripts/wav-bytes.mjs';
import { countOutcomes, waitForEnds } from '../outcomes.mjs';
import { post, readJson, register } from '../requests.mjs';
import { until } from '../until.mjs';
import { BRIDGE_ADDRESS, createWorld, signalGroup } from './world.mjs';

const PROGRAM = fileURLToPath(new URL('../../server/dist/earshot.js', import.meta.url));
const OUTSIDE_PORT = 9_000;
const WAITING_JOBS = Number(process.env.WAITING_JOBS ?? 12);
const COMPUTING_JOBS = Number(process.env.COMPUTING_JOBS ?? 12);
const FAULT_JOBS = Number(process.env.FAULT_JOBS ?? 40);
/** How long the origin of a "waiting" job delays its response, like a distant or slow server. */
const ORIGIN_DELAY_MS = 3_000;
/** Longer than lease, confirmation and poll together (21 s), after which another worker has taken over the job. */
const DISCONNECTED_MS = 35_000;
/** Longer than a worker takes to start. */
const WORKER_START_MS = 5_000;
const TIMING = { withinMs: 600_000, everyMs: 50 };

const world = createWorld(join(tmpdir(), 'earshot-scale-out'));
const wav = makeWav(4);
/** Webhook id → number of calls. */
const webhookCalls = new Map();

/** A slow origin of audio, and the receiver of all webhooks. */
const outside = createServer(async (request, response) => {
  if (request.method === 'GET') {
    await delay(ORIGIN_DELAY_MS);
    response.writeHead(200, { 'content-type': 'audio/wav' }).end(wav);
    return;
  }
  await request.toArray();
  const id = request.headers['webhook-id'];
  webhookCalls.set(id, (webhookCalls.get(id) ?? 0) + 1);
  response.end();
});

let failed = false;
try {
  await main();
} catch (error) {
  console.error(error);
  failed = true;
} finally {
  outside.closeAllConnections();
  outside.close();
  await world.close();
}
process.exit(failed ? 1 : 0);

async function main() {
  world.makeBridge();
  outside.listen(OUTSIDE_PORT, BRIDGE_ADDRESS);
  const hosts = Object.fromEntries(
    ['api-1', 'api-2', 'work-1', 'work-2', 'work-3'].map((name, index) => [
      name,
      world.makeHost(name, `10.77.0.${11 + index}`),
    ]),
  );
  const [postgres, s3] = await Promise.all([world.startPostgres(), world.startStore()]);
  console.log(
    `PostgreSQL ${postgres.version}, Swift s3api, ${cpus().length} cores, Node ${process.versions.node}`,
  );
  const db = new pg.Pool({ connectionString: postgres.url, max: 2 });
  const service = createService({ hosts, env: settings(postgres.url, s3) });
  await service.serve();
  const customer = await createCustomer(db, hosts);

  await service.work(['work-1']);
  await measure(db, customer, { count: 2, kind: 'computing' });
  const rates = {};
  for (const kind of ['waiting', 'computing']) {
    rates[kind] = [];
    for (const names of [['work-1'], ['work-1', 'work-2'], ['work-1', 'work-2', 'work-3']]) {
      await service.work(names);
      const count = kind === 'waiting' ? WAITING_JOBS : COMPUTING_JOBS;
      rates[kind].push(await measure(db, customer, { count, kind }));
    }
  }
  printRates(rates);

  const fault = await sufferFaults(db, customer, service, hosts);
  const verdict = await check(db, customer);
  console.table({ ...fault, ...verdict });
  const { lost, endedTwice, chargedWrongly, 'webhooks missing': missing } = verdict;
  failed = lost + endedTwice + chargedWrongly + missing > 0;
  await db.end();
}

function settings(databaseUrl, s3) {
  return {
    ...s3,
    DATABASE_URL: databaseUrl,
    SECRET_KEY: 'a secret key for one scale-out run only',
    ALLOW_PRIVATE_TARGETS: '10.77.0.0/24',
    ALLOWED_PORTS: String(OUTSIDE_PORT),
    REGISTRATIONS_PER_HOUR: '100',
    WORKER_CONCURRENCY: '1',
    LOG_LEVEL: 'warn',
    STOP_GRACE_SECONDS: '20',
  };
}

function createService({ hosts, env }) {
  const running = new Map();
  const start = (name, role) => {
    const overrides = { HOST: '0.0.0.0', PORT: '8080', DATA_DIR: join(world.folder, `data-${name}`) };
    running.set(name, hosts[name].run([PROGRAM, role], { ...env, ...overrides }));
  };
  return {
    async serve() {
      for (const name of ['api-1', 'api-2']) start(name, 'serve');
      for (const name of ['api-1', 'api-2']) {
        const ready = () => fetch(`http://${hosts[name].address}:8080/ready`).catch(() => null);
        await until(async () => (await ready())?.status === 200, `${name} is ready`);
      }
    },
    /** Stops and starts workers so that exactly these run. Resolves when new ones have had time to connect. */
    async work(names) {
      for (const name of [...running.keys()].filter(
        (one) => one.startsWith('work') && !names.includes(one),
      )) {
        running.get(name).kill('SIGTERM');
        await running.get(name).ended;
        running.delete(name);
      }
      const missing = names.filter((name) => !running.has(name));
      for (const name of missing) start(name, 'work');
      if (missing.length > 0) await delay(WORKER_START_MS);
    },
    async kill(name) {
      signalGroup(running.get(name), 'SIGKILL');
      await running.get(name).ended;
      running.delete(name);
    },
    restart: (name) => start(name, name.startsWith('api') ? 'serve' : 'work'),
  };
}

async function createCustomer(db, hosts) {
  const urls = [hosts['api-1'], hosts['api-2']].map(({ address }) => `http://${address}:8080`);
  const { api_key: apiKey, workspace_id: workspaceId } = await register(urls[0], 'scale@example.com');
  await db.query(`update billing_accounts set plan = 'scale' where workspace_id = $1`, [workspaceId]);
  await db.query('delete from credit_balances where workspace_id = $1', [workspaceId]);
  await db.query('delete from credit_ledger where workspace_id = $1', [workspaceId]);
  return { urls, headers: { 'x-api-key': apiKey }, workspaceId, accepted: [] };
}

/** Alternates between the APIs. Only a 202 counts as accepted. */
async function submit(customer, kind) {
  const { accepted, headers, urls } = customer;
  const base = urls[accepted.length % urls.length];
  const webhookUrl = `http://${BRIDGE_ADDRESS}:${OUTSIDE_PORT}/hook`;
  const sendUrl = () => {
    const body = { url: `http://${BRIDGE_ADDRESS}:${OUTSIDE_PORT}/song.wav`, webhook_url: webhookUrl };
    return post(`${base}/v1/analyze/url`, body, headers);
  };
  const sendFile = () => {
    const body = new FormData();
    body.set('webhook_url', webhookUrl);
    body.set('file', new Blob([wav]), 'song.wav');
    return fetch(`${base}/v1/analyze/upload`, { method: 'POST', headers, body });
  };
  const { job_id: id } = await readJson(await (kind === 'waiting' ? sendUrl() : sendFile()), 202);
  accepted.push(id);
  return id;
}

/** Jobs per second from the first submission to the end of the last. */
async function measure(db, customer, { count, kind }) {
  const ids = [];
  const startedMs = performance.now();
  for (let job = 0; job < count; job += 1) ids.push(await submit(customer, kind));
  await waitForEnds(db, ids, TIMING);
  const perSecond = count / ((performance.now() - startedMs) / 1_000);
  console.log(`${kind}: ${count} jobs, ${perSecond.toFixed(3)} per second`);
  return perSecond;
}

/** During a stream of jobs one worker is killed, one is disconnected for longer than its lease, and an API is killed. */
async function sufferFaults(db, customer, service, hosts) {
  await service.work(['work-1', 'work-2', 'work-3']);
  const startedMs = performance.now();
  const ids = [];
  const events = (async () => {
    await untilRunningOn(db, 'work-1');
    await service.kill('work-1');
    await untilRunningOn(db, 'work-2');
    hosts['work-2'].disconnect();
    await delay(DISCONNECTED_MS);
    hosts['work-2'].reconnect();
    service.restart('work-1');
  })();
  for (let job = 0; job < FAULT_JOBS; job += 1)
    ids.push(await submit(customer, job % 2 ? 'waiting' : 'computing'));
  await events;
  await service.kill('api-2');
  service.restart('api-2');
  await waitForEnds(db, ids, TIMING);
  const { rows } = await db.query(
    `select count(distinct analysis_id)::int as taken from analysis_events
     where analysis_id = any($1) and event_type = 'job.started' and (metadata->>'attempt')::int > 1`,
    [ids],
  );
  return {
    'jobs during the faults': ids.length,
    'taken over by another worker': rows[0].taken,
    'seconds in all': Math.round((performance.now() - startedMs) / 1_000),
  };
}

/** Waits until this worker runs an analysis; the name of its lease contains its process id. */
async function untilRunningOn(db, name) {
  const running = async () => {
    const { rows } = await db.query(
      `select leased_by from jobs where kind = 'analysis.run' and state = 'running'`,
    );
    return rows.some(({ leased_by }) => leased_by.split(':')[1] === String(world.pidOf(name)));
  };
  await until(running, `${name} gets an analysis`, { everyMs: 20 });
}

/** Takes every figure from the database and the webhook receiver, not from the driver. */
async function check(db, { accepted, workspaceId }) {
  const count = async (sql, ...params) =>
    (await db.query(`select count(*)::int as n from ${sql}`, params)).rows[0].n;
  // The last webhooks may still be on their way, perhaps with a second attempt.
  const open = `webhook_deliveries where workspace_id = $1 and status <> 'delivered'`;
  await until(async () => (await count(open, workspaceId)) === 0, 'every webhook is delivered').catch(
    () => {},
  );
  const delivered = 'webhook_deliveries where workspace_id = $1 and id = any($2)';
  return {
    'accepted (202)': accepted.length,
    ...(await countOutcomes(db, accepted)),
    'webhooks missing': accepted.length - (await count(delivered, workspaceId, [...webhookCalls.keys()])),
    'webhooks called again': [...webhookCalls.values()].filter((callCount) => callCount > 1).length,
    'jobs left in the queue': await count(`jobs where kind <> 'sweep'`),
    'objects left in the store': await count(`storage_objects where status <> 'deleted'`),
  };
}

function printRates(rates) {
  console.log('\n| jobs | 1 worker | 2 workers | 3 workers | ratio |\n|---|---|---|---|---|');
  for (const [kind, perSecond] of Object.entries(rates)) {
    const ratio = perSecond.map((rate) => (rate / perSecond[0]).toFixed(2)).join(' : ');
    console.log(`| ${kind} | ${perSecond.map((rate) => `${rate.toFixed(2)}/s`).join(' | ')} | ${ratio} |`);
  }
}

/** Chords that change every half second, so that every stage of the analysis has work. */
function makeWav(durationSeconds) {
  const sampleRateHz = 22_050;
  const samples = Int16Array.from({ length: durationSeconds * sampleRateHz }, (_, n) => {
    const rootHz = [220, 261.6, 293.7, 196][Math.floor((n / sampleRateHz) * 2) % 4];
    const tone = (hz) => Math.sin((2 * Math.PI * hz * n) / sampleRateHz);
    return Math.round(5_000 * (tone(rootHz) + tone(rootHz * 1.25) + tone(rootHz * 1.5)));
  });
  return wavBytes(samples, { sampleRateHz });
}
