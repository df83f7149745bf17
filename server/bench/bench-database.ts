import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres.ts';
import { createLogger } from '../src/platform/log.ts';
import { migrate } from '../src/platform/migrate.ts';
import { openDatabase } from '../src/platform/postgres.ts';

/** A PostgreSQL for one bench. Its folder is temporary unless `dataDir` names one that is to be kept. */
export async function openBenchDatabase(options: {
  level: 'warn' | 'silent';
  dataDir?: string;
  connectionsMax?: number;
  /** Default true. False when an earlier version of the service is to run its own migrations. */
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
