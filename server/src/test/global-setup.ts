import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../platform/embedded-postgres.ts';
import { createLogger } from '../platform/log.ts';
import { migrate } from '../platform/migrate.ts';
import { openDatabase } from '../platform/postgres.ts';

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be added to from outside.
  export interface ProvidedContext {
    /** Folder of the socket of the server that this test run shares. */
    postgresSocketFolder: string;
    /** Where test files put their own; it goes when the run ends. */
    testRunFolder: string;
  }
}

export const TEMPLATE_DATABASE = 'earshot_template';

/** One PostgreSQL for the whole run, with a migrated database that every test file copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'earshot-test-'));
  const log = createLogger({ level: 'warn' });
  // Nothing here has to survive a power cut; the tests of the embedded server itself start their own.
  const settings = {
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
    max_connections: '200',
  };
  const postgres = await startEmbeddedPostgres({ dataDir, log, settings });
  const db = openDatabase({ connection: postgres.connection, log });
  await db.query(`create database ${TEMPLATE_DATABASE}`);
  await db.close();
  const template = openDatabase({ connection: { ...postgres.connection, database: TEMPLATE_DATABASE }, log });
  await migrate(template);
  await template.close();
  project.provide('postgresSocketFolder', postgres.socketFolder);
  project.provide('testRunFolder', dataDir);
  return async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
