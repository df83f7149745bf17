import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, inject } from 'vitest';
import { createLogger } from '../platform/log.ts';
import { type Database, type DatabaseConnection, openDatabase } from '../platform/postgres.ts';
import { ADMIN_ROLE, SERVICE_ROLE } from '../platform/postgres-roles.ts';
import { TEMPLATE_DATABASE } from './global-setup.ts';
import { until } from './until.ts';

/** Six times the service's: while many tests share a machine, a connection may take long. */
const CONNECT_TIMEOUT_MS = 30_000;

/** Only part of the socket's file name, as in platform/postgres-cluster.ts. */
const SOCKET_PORT = 5432;

export type TestDatabase = {
  db: Database;
  /** DATABASE_URL for programs that a test starts. */
  url: string;
};

/**
 * A migrated database for one test file: `const { db } = await createTestDatabase()` at the top of the file. It is dropped at the end, and
 * the file fails when a connection is still open then.
 */
export async function createTestDatabase(options: { connectionsMax?: number } = {}): Promise<TestDatabase> {
  const { socketFolder, password } = inject('postgres');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const connection = { host: socketFolder, port: SOCKET_PORT, user: SERVICE_ROLE, password, database: name };
  await administer((admin) =>
    admin.query(`create database ${name} template ${TEMPLATE_DATABASE} owner ${SERVICE_ROLE}`),
  );
  const db = openDatabase({
    connection,
    log: createLogger({ level: 'error' }),
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    ...options,
  });
  afterAll(async () => {
    await db.close();
    await administer(async (admin) => {
      await until(async () => {
        const open = await admin.query('select 1 from pg_stat_activity where datname = $1', [name]);
        return open.rowCount === 0;
      }, `every connection to ${name} is closed`);
      await admin.query(`drop database ${name}`);
    });
  });
  const host = encodeURIComponent(socketFolder);
  return { db, url: `postgres://${SERVICE_ROLE}:${password}@localhost:${SOCKET_PORT}/${name}?host=${host}` };
}

/** Connects as superuser, which the service never does. */
export function adminConnection(database: string): DatabaseConnection {
  const { socketFolder: host, adminPassword: password } = inject('postgres');
  return { host, port: SOCKET_PORT, user: ADMIN_ROLE, password, database };
}

async function administer<T>(work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client(adminConnection('postgres'));
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

/**
 * Statistics and visibility as a settled database has them, for tests of query plans. A VACUUM leaves pages unmarked that changed after
 * the oldest open snapshot, and autovacuum may hold one; index-only scans then look expensive, and the planner chooses other plans.
 */
export async function settleStatistics(db: Database): Promise<void> {
  await until(async () => {
    await db.query('vacuum analyze');
    const unsettled = await db.query(
      `select 1 from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relallvisible < relpages`,
    );
    return unsettled.length === 0;
  }, 'every page is visible to all transactions');
}
