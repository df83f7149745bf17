/** Drills of running two versions side by side, of making a backup, and of running the service on a restored one. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import pg from 'pg';
import { expect } from '../expect.mjs';
import { databaseUrl, FOLDER } from './addresses.mjs';
import { settle } from './customer.mjs';
import { makeNewerVersion } from './service.mjs';

export async function upgrade({ service, traffic, log }) {
  const [older, newer] = [service.program, makeNewerVersion()];
  log(`  ${service.command('migrate', newer)}`);
  await traffic.acceptMore(2);
  service.program = newer;
  await service.restart('work-1', 'api-1');
  log('  one API and one worker of each version');
  await traffic.acceptMore(6);
  await service.restart('work-2', 'api-2');
  await traffic.acceptMore(2);
  service.program = older;
  await service.restart('work-1', 'api-1');
  log('  rolled back: the older version starts on the newer database');
  await traffic.acceptMore(2);
}

const DUMP = join(FOLDER, 'earshot.dump');

export async function backUp({ admin }) {
  await admin.query(`create role earshot_backup login bypassrls password 'backup'`);
  await admin.query('grant pg_read_all_data to earshot_backup');
  run('pg_dump', '--format=custom', `--file=${DUMP}`, databaseUrl('earshot_backup', 'backup'));
}

/** `known`: the analyses accepted before the backup. */
export async function restore({ service, outside, customer, admin, postgres, log }, known) {
  await service.stopAll();
  await admin.query('create database earshot_restored owner earshot_owner');
  const restoredUrl = service.env.DATABASE_URL.replace(/earshot$/, 'earshot_restored');
  run('pg_restore', '--no-owner', '--no-privileges', '--exit-on-error', `--dbname=${restoredUrl}`, DUMP);
  service.env = { ...service.env, DATABASE_URL: restoredUrl };
  log(`  ${service.command('migrate')}`);
  for (const name of ['api-1', 'work-1']) await service.start(name);
  const restored = new pg.Pool({
    connectionString: postgres.url.replace(/postgres$/, 'earshot_restored'),
    max: 1,
  });
  const ended = await settle(restored, outside, customer, known);
  // Not `failed`: the analyses that waited at the time of the dump have been completed since, and their audio deleted.
  expect([ended.lost, ended.endedTwice, ended.chargedWrongly], [0, 0, 0]);
  // The API key and the webhook secret from before the backup work on the restored database.
  const fresh = await settle(restored, outside, customer, [await customer.upload()]);
  expect([fresh.completed, fresh.withoutWebhook], [1, 0]);
  log(
    `  ${ended.total} analyses from before the dump: ${ended.completed} completed, ${ended.failed} failed; one new`,
  );
  await restored.end();
}

function run(command, ...args) {
  execFileSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
}
