import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres.ts';
import { createLogger } from '../src/platform/log.ts';
import { migrate } from '../src/platform/migrate.ts';
import { openDatabase } from '../src/platform/postgres.ts';

/** Starts a PostgreSQL for one bench. Its folder is deleted afterwards unless it is given as `dataDir`. */
export async function openBenchDatabase(options: {
  level: 'warn' | 'silent';
  dataDir?: string;
  connectionsMax?: number;
  /** False when another version of the service will run its own migrations. Default true. */
  shouldMigrate?: boolean;
}) {
  const log = createLogger({ level: options.level });
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'earshot-bench-')));
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  const { connection } = postgres;
  const db = openDatabase({ connection, log, connectionsMax: options.connectionsMax });
  if (options.shouldMigrate ?? true) await migrate(db);
  const close = async () => {
    await db.close();
    await postgres.stop();
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
  };
  return { log, dataDir, connection, db, close };
}
