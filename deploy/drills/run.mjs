/**
 * The drills of docs/operations.md, step by step as it says, with a customer who keeps sending songs meanwhile: every secret
 * is rotated, an older and a newer version run side by side, a backup is restored. Ends with 1 when a request failed
 * beyond a connection that is tried again, or when anything accepted did not end well.
 *   npm run build && sudo node deploy/drills/run.mjs [part of the names of some drills, separated by |]
 * Needs root and, from Debian, postgresql, rsync and the swift packages (see ../scale-out/world.mjs).
 */
import pg from 'pg';
import { createWorld } from '../scale-out/world.mjs';
import * as places from './addresses.mjs';
import { createCustomer, settle, startTraffic } from './customer.mjs';
import { backUp, restore, upgrade } from './releases.mjs';
import { makeSecret, ROTATIONS } from './rotations.mjs';
import { createService, PROCESSES } from './service.mjs';
import { startStandIns } from './stand-ins.mjs';

const { LOOPBACK, urlOf } = places;
const only = new RegExp(process.argv[2] ?? '');
const say = (text) => console.log(`${new Date().toISOString().slice(11, 19)}  ${text}`);
const world = createWorld(places.FOLDER, { address: LOOPBACK, postgresPort: places.POSTGRES_PORT });
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
  const owned = new pg.Pool({ connectionString: postgres.url.replace(/postgres$/, 'earshot'), max: 1 });
  await owned.query(`update billing_accounts set plan = 'scale' where workspace_id = $1`, [
    customer.workspaceId,
  ]);
  const traffic = startTraffic(customer);
  const stage = { service, outside, customer, traffic, admin, postgres, say };

  for (const [name, rotate] of Object.entries(ROTATIONS)) await drill(name, () => rotate(stage));
  await drill('upgrade, old and new side by side', () => upgrade(stage));
  const known = [...traffic.accepted];
  await drill('backup', () => backUp(stage));
  await traffic.stop();
  const result = await settle(owned, outside, customer, traffic.accepted);
  await drill('restore', () => restore(stage, known));

  console.table({ ...result, 'requests that failed': traffic.failures.length });
  for (const failure of traffic.failures) console.log(failure);
  await Promise.all([admin.end(), owned.end()]);
  const { lost, failed, endedTwice, chargedWrongly, untold } = result;
  return lost + failed + endedTwice + chargedWrongly + untold + traffic.failures.length === 0;
}

function settings(s3) {
  return {
    ...s3,
    DATABASE_URL: places.databaseUrl('earshot_a', 'first'),
    SECRET_KEY: makeSecret(),
    SMTP_URL: `smtp://earshot:smtp-1@${LOOPBACK}:${places.MAIL_PORT}`,
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    STRIPE_API_BASE: urlOf(places.STRIPE_PORT),
    METRICS_TOKEN: makeSecret(),
    ACOUSTID_API_KEY: 'acoustid-1',
    ACOUSTID_BASE_URL: urlOf(places.ACOUSTID_PORT),
    MUSICBRAINZ_BASE_URL: urlOf(places.ACOUSTID_PORT),
    BASE_URL: urlOf(places.API_PORTS[0]),
    ALLOW_PRIVATE_TARGETS: `${LOOPBACK}/32`,
    ALLOWED_PORTS: String(places.RECEIVER_PORT),
    REGISTRATIONS_PER_HOUR: '1000',
    WORKER_CONCURRENCY: '1',
    LOG_LEVEL: 'warn',
  };
}

async function drill(name, work) {
  if (!only.test(name)) return;
  say(name);
  const startedMs = performance.now();
  await work();
  say(`  done in ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
}
