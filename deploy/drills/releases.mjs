/** An older and a newer version side by side; a backup, and the service on what was restored from it. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import pg from 'pg';
import { expect } from '../expect.mjs';
import { until } from '../until.mjs';
import { databaseUrl, FOLDER } from './addresses.mjs';
import { settle } from './customer.mjs';
import { makeNewerVersion } from './service.mjs';

export async function upgrade({ service, traffic, say }) {
  const [older, newer] = [service.program, makeNewerVersion()];
  say(`  ${service.command('migrate', newer)}`);
  await traffic.more(2);
  service.program = newer;
  await service.restart('work-1', 'api-1');
  say('  one of each version serves and works');
  await traffic.more(6);
  await service.restart('work-2', 'api-2');
  await traffic.more(2);
  service.program = older;
  await service.restart('work-1', 'api-1');
  say('  and back: the older one starts on the newer database');
  await traffic.more(2);
}

const DUMP = join(FOLDER, 'earshot.dump');

export async function backUp({ admin }) {
  await admin.query(`create role earshot_backup login bypassrls password 'backup'`);
  await admin.query('grant pg_read_all_data to earshot_backup');
  run('pg_dump', '--format=custom', `--file=${DUMP}`, databaseUrl('earshot_backup', 'backup'));
}

/** `known`: what had been accepted before the backup. */
export async function restore({ service, outside, customer, admin, postgres, say }, known) {
  await service.stopAll();
  await admin.query('create database earshot_restored owner earshot_owner');
  const restoredUrl = service.env.DATABASE_URL.replace(/earshot$/, 'earshot_restored');
  run('pg_restore', '--no-owner', '--no-privileges', '--exit-on-error', `--dbname=${restoredUrl}`, DUMP);
  service.env = { ...service.env, DATABASE_URL: restoredUrl };
  say(`  ${service.command('migrate')}`);
  for (const name of ['api-1', 'work-1']) await service.start(name);
  const restored = new pg.Pool({
    connectionString: postgres.url.replace(/postgres$/, 'earshot_restored'),
    max: 1,
  });
  const ended = await settle(restored, outside, customer, known);
  expect([ended.lost, ended.endedTwice, ended.chargedWrongly], [0, 0, 0]);
  // The key and the webhook secret from before the backup work on what was restored.
  const id = await customer.upload();
  await until(
    async () => (await customer.get(`/v1/analysis/${id}`)).status === 'completed',
    'a new analysis',
  );
  say(
    `  ${ended.total} analyses of before the dump: ${ended.completed} completed, ${ended.failed} failed; one new`,
  );
  await restored.end();
}

function run(command, ...args) {
  execFileSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
}
