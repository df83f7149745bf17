import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../platform/embedded-postgres.ts';
import { createLogger } from '../platform/log.ts';
import { migrate } from '../platform/migrate.ts';
import { openDatabase } from '../platform/postgres.ts';
import { SERVICE_ROLE } from '../platform/postgres-roles.ts';

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be augmented.
  export interface ProvidedContext {
    /** The PostgreSQL of this test run. */
    postgres: TestPostgres;
    /** For files of tests; removed when the run ends. */
    testRunFolder: string;
  }
}

export type TestPostgres = { socketFolder: string; password: string; adminPassword: string };

export const TEMPLATE_DATABASE = 'earshot_template';

/** One PostgreSQL for the whole run, with a migrated database that every test file copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'earshot-test-'));
  const log = createLogger({ level: 'warn' });
  // Faster, and safe only because this data need not survive a crash. The tests of the embedded server start their own.
  const settings = {
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
    // Enough for two test files at a time with pools of thirty, and the services that they start.
    max_connections: '200',
  };
  const adminPassword = 'the superuser of the tests';
  const postgres = await startEmbeddedPostgres({ dataDir, log, settings, adminPassword });
  const admin = openDatabase({ connection: postgres.adminConnection!, log });
  await admin.query(`create database ${TEMPLATE_DATABASE} owner ${SERVICE_ROLE}`);
  await admin.close();
  const template = openDatabase({ connection: { ...postgres.connection, database: TEMPLATE_DATABASE }, log });
  await migrate(template);
  await template.close();
  const password = String(postgres.connection.password);
  project.provide('postgres', { socketFolder: postgres.socketFolder, password, adminPassword });
  project.provide('testRunFolder', dataDir);
  return async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
