/**
 * Carries out the procedures of docs/operations.md while a customer keeps sending songs: every secret is rotated, an older and a newer
 * version run side by side, a backup is restored. Exits with 1 when a request failed even after retries, or when an accepted analysis
 * was not completed and charged exactly once, or not reported by a webhook.
 *   npm run build && sudo node deploy/drills/run.mjs [regular expression for the names of the drills]
 * Needs root and, from Debian, postgresql, rsync and the swift packages (see ../scale-out/world.mjs).
 */
import pg from 'pg';
import { createWorld } from '../scale-out/world.mjs';
import * as addresses from './addresses.mjs';
import { createCustomer, settle, startTraffic } from './customer.mjs';
import { backUp, restore, upgrade } from './releases.mjs';
import { makeSecret, ROTATIONS } from './rotations.mjs';
import { createService, PROCESSES } from './service.mjs';
import { startStandIns } from './stand-ins.mjs';

const { LOOPBACK, urlOf } = addresses;
const selected = new RegExp(process.argv[2] ?? '');
const log = (text) => console.log(`${new Date().toISOString().slice(11, 19)}  ${text}`);
const world = createWorld(addresses.FOLDER, { address: LOOPBACK, postgresPort: addresses.POSTGRES_PORT });
const outside = startStandIns();

let passed = false;
try {
  passed = await main();
} catch (error) {
  console.error(error);
} finally {
  outside.close();
  await world.close();
}
process.exit(passed ? 0 : 1);

async function main() {
  const postgres = await world.startPostgres();
  const s3 = await world.startStore();
  const admin = new pg.Pool({ connectionString: postgres.url, max: 1 });
  await admin.query('create role earshot_owner nologin');
  await admin.query(`create role earshot_a login password 'first' in role earshot_owner`);
  await admin.query('alter role earshot_a set role = earshot_owner');
  await admin.query('create database earshot owner earshot_owner');
  const service = createService(world, settings(s3));
  for (const name of PROCESSES) await service.start(name);
  const customer = await createCustomer('drill@example.com');
  const serviceDb = new pg.Pool({ connectionString: postgres.url.replace(/postgres$/, 'earshot'), max: 1 });
  await serviceDb.query(`update billing_accounts set plan = 'scale' where workspace_id = $1`, [
    customer.workspaceId,
  ]);
  const traffic = startTraffic(customer);
  const context = { service, outside, customer, traffic, admin, postgres, log };

  for (const [name, rotate] of Object.entries(ROTATIONS)) await drill(name, () => rotate(context));
  await drill('upgrade, old and new side by side', () => upgrade(context));
  const known = [...traffic.accepted];
  await drill('backup', () => backUp(context));
  await traffic.stop();
  const result = await settle(serviceDb, outside, customer, traffic.accepted);
  await drill('restore', () => restore(context, known));

  console.table({ ...result, 'requests that failed': traffic.failures.length });
  for (const failure of traffic.failures) console.log(failure);
  await Promise.all([admin.end(), serviceDb.end()]);
  const { lost, failed, endedTwice, chargedWrongly, withoutWebhook } = result;
  return lost + failed + endedTwice + chargedWrongly + withoutWebhook + traffic.failures.length === 0;
}

function settings(s3) {
  return {
    ...s3,
    DATABASE_URL: addresses.databaseUrl('earshot_a', 'first'),
    SECRET_KEY: makeSecret(),
    SMTP_URL: `smtp://earshot:smtp-1@${LOOPBACK}:${addresses.MAIL_PORT}`,
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    STRIPE_API_BASE: urlOf(addresses.STRIPE_PORT),
    METRICS_TOKEN: makeSecret(),
    ACOUSTID_API_KEY: 'acoustid-1',
    ACOUSTID_BASE_URL: urlOf(addresses.ACOUSTID_PORT),
    MUSICBRAINZ_BASE_URL: urlOf(addresses.ACOUSTID_PORT),
    BASE_URL: urlOf(addresses.API_PORTS[0]),
    ALLOW_PRIVATE_TARGETS: `${LOOPBACK}/32`,
    ALLOWED_PORTS: String(addresses.RECEIVER_PORT),
    REGISTRATIONS_PER_HOUR: '1000',
    WORKER_CONCURRENCY: '1',
    LOG_LEVEL: 'warn',
  };
}

async function drill(name, work) {
  if (!selected.test(name)) return;
  log(name);
  const startedMs = performance.now();
  await work();
  log(`  done in ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
}
