import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { until } from '../test/until.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { createLogger } from './log.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './postgres.ts';
import { findPostgresBinaries } from './postgres-binaries.ts';

/** What an attacker who controls one of our processes could do in the embedded server: its role's rights, and who can connect. */
const log = createLogger({ level: 'silent' });
const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

async function createDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-roles-'));
  folders.push(folder);
  return folder;
}

async function withServer<T>(
  dataDir: string,
  work: (client: pg.Client, connection: pg.ClientConfig) => Promise<T>,
): Promise<T> {
  const postgres = await startEmbeddedPostgres({ dataDir, log, settings: { fsync: 'off' } });
  const client = new pg.Client(postgres.connection);
  try {
    await client.connect();
    return await work(client, postgres.connection);
  } finally {
    await client.end();
    await postgres.stop();
  }
}

const refusal = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'allowed',
    (error: pg.DatabaseError) => error.code,
  );

async function connectAs(config: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(config);
  client.on('error', () => {});
  try {
    await client.connect();
  } finally {
    await client.end().catch(() => {});
  }
}

async function expectLeastRights(client: pg.Client, connection: pg.ClientConfig): Promise<void> {
  const { rows } = await client.query(
    'select current_user as name, rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolreplication from pg_roles where rolname = current_user',
  );
  const nothing = { rolsuper: false, rolcreaterole: false, rolcreatedb: false };
  expect(rows).toEqual([{ name: 'earshot', ...nothing, rolbypassrls: false, rolreplication: false }]);
  expect(await refusal(client.query(`copy (select 1) to program 'true'`))).toBe('42501');
  expect(await refusal(client.query(`select pg_read_file('/etc/passwd')`))).toBe('42501');
  const { password: _, ...withoutPassword } = connection;
  for (const user of ['earshot', 'earshot_admin', 'postgres']) {
    expect(await refusal(connectAs({ ...withoutPassword, user, password: () => '' })), user).not.toBe(
      'allowed',
    );
    expect(await refusal(connectAs({ ...withoutPassword, user, password: 'guess' })), user).toBe('28P01');
  }
}

describe('the role of the service in the embedded server', () => {
  it('owns its database and nothing else, and no role can connect without a password', async () => {
    const dataDir = await createDataDir();
    await withServer(dataDir, expectLeastRights);
    const { mode } = await stat(join(dataDir, 'postgres', 'password'));
    expect(mode & 0o777).toBe(0o600);
    // A second start changes nothing, and one without the record of the setup repeats every step of it, as after a kill.
    await withServer(dataDir, expectLeastRights);
    await rm(join(dataDir, 'postgres', 'roles-done'));
    await withServer(dataDir, expectLeastRights);
  });

  it('gets a new password when the file with the old one is lost', async () => {
    const dataDir = await createDataDir();
    await withServer(dataDir, (client) => client.query('create table kept as select 1 as one'));
    const before = await readFile(join(dataDir, 'postgres', 'password'), 'utf8');
    await rm(join(dataDir, 'postgres', 'password'));
    await withServer(dataDir, async (client) => {
      expect((await client.query('select one from kept')).rows).toEqual([{ one: 1 }]);
    });
    expect(await readFile(join(dataDir, 'postgres', 'password'), 'utf8')).not.toBe(before);
  });

  it('loses its superuser rights, but no data, in a data directory of an earlier version', async () => {
    const dataDir = await createDataDir();
    await makeEarlierCluster(dataDir);
    await withServer(dataDir, async (client, connection) => {
      await expectLeastRights(client, connection);
      const db = openDatabase({ connection, log, connectionsMax: 2 });
      // Objects created by the superuser can be read, written and altered.
      expect(await db.query('select name from users_of_old')).toEqual([{ name: 'kept' }]);
      await db.query(`insert into users_of_old (name) values ('new')`);
      await db.query('alter table users_of_old add column more int');
      await db.query('create or replace function of_old() returns int language sql as $$ select 2 $$');
      expect(await migrate(db)).toEqual([]);
      expect(await db.forTenant('ws_none').query('select * from workspaces')).toEqual([]);
      expect(await db.query('select id from workspaces')).toEqual([{ id: 'ws_of_old' }]);
      await db.close();
    });
  });
});

/** As created by versions without separate roles: a single superuser `earshot` that connects without a password. */
async function makeEarlierCluster(dataDir: string): Promise<void> {
  const home = join(dataDir, 'postgres');
  const data = join(home, 'data');
  mkdirSync(data, { recursive: true, mode: 0o700 });
  execFileSync('chmod', ['711', dataDir, home]);
  // As `nobody`, because PostgreSQL does not run as root.
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : null;
  if (user) chownSync(data, user.uid, user.gid);
  const binaries = await findPostgresBinaries(user, [home, '/var/lib/earshot', '/var/tmp/earshot']);
  const options = { cwd: '/', env: { LC_ALL: 'C', TZ: 'UTC' }, ...(user ?? {}) };
  const cluster = join(data, 'cluster');
  execFileSync(binaries.initdb, ['-D', cluster, '-U', 'earshot', '--auth=trust', '--no-sync'], {
    ...options,
    stdio: 'ignore',
  });
  writeFileSync(join(home, 'log'), '');
  const logFd = openSync(join(home, 'log'), 'a');
  const args = [
    '-D',
    cluster,
    '-c',
    'listen_addresses=',
    '-c',
    'unix_socket_directories=.',
    '-c',
    'fsync=off',
  ];
  const server = spawn(binaries.postgres, args, { ...options, stdio: ['ignore', logFd, logFd] });
  const connection = { host: cluster, port: 5432, user: 'earshot' };
  await until(
    async () => (await refusal(connectAs({ ...connection, database: 'postgres' }))) === 'allowed',
    'the earlier server answers',
  );
  const admin = openDatabase({ connection: { ...connection, database: 'postgres' }, log, connectionsMax: 1 });
  await admin.query('create database earshot');
  await admin.close();
  const db = openDatabase({ connection: { ...connection, database: 'earshot' }, log, connectionsMax: 2 });
  await migrate(db);
  await db.query('create table users_of_old (id bigserial primary key, name text)');
  await db.query('create function of_old() returns int language sql as $$ select 1 $$');
  await db.query(`insert into users_of_old (name) values ('kept')`);
  await db.query(`insert into workspaces (id, name) values ('ws_of_old', 'Old')`);
  await db.close();
  server.kill('SIGINT');
  await once(server, 'exit');
}
