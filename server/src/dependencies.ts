import { setTimeout as delay } from 'node:timers/promises';
import { createEnginePool } from './analyses/attempt/engine-pool.ts';
import { ANALYSIS_EVENTS_CHANNEL } from './analyses/events.ts';
import { createConnectionSlots } from './analyses/reading/connection-slots.ts';
import { createPdfWriter } from './analyses/report/pdf-writer.ts';
import { createPaymentProvider } from './billing/create-provider.ts';
import type { Config } from './config.ts';
import type { Dependencies } from './context.ts';
import { createSoundIndex } from './library/sound-index.ts';
import { createStorage } from './platform/create-storage.ts';
import { readDiskSpace } from './platform/disk-space.ts';
import { startEmbeddedPostgres } from './platform/embedded-postgres.ts';
import { createEventHub } from './platform/event-hub.ts';
import { createGuardedFetch } from './platform/guarded-fetch.ts';
import type { Logger } from './platform/log.ts';
import { createMailer } from './platform/mailer.ts';
import { createMetrics } from './platform/metrics.ts';
import { migrate } from './platform/migrate.ts';
import { type Database, openDatabase } from './platform/postgres.ts';
import { isDatabaseUnavailable } from './platform/postgres-errors.ts';
import { createSingleFlight } from './platform/single-flight.ts';

/** A database server that starts together with this process may need a while. */
const DATABASE_WAIT_MS = 60_000;
const RETRY_MS = 1_000;

/**
 * Opens and migrates the database at DATABASE_URL, or the embedded one. `close` also stops the embedded server if no other process
 * uses it.
 */
export async function openMigratedDatabase(
  config: Config,
  log: Logger,
): Promise<{ db: Database; applied: string[]; close(): Promise<void> }> {
  const { databaseUrl, dataDir } = config;
  const server =
    databaseUrl === null
      ? await startEmbeddedPostgres({ dataDir, log })
      : { connection: { connectionString: databaseUrl }, stop: async () => {} };
  const { connection } = server;
  const db = openDatabase({ connection, log, connectionsMax: config.databaseConnectionsMax });
  const close = async () => {
    await db.close();
    await server.stop();
  };
  try {
    return { db, applied: await migrateOnceReachable(db, log), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function migrateOnceReachable(db: Database, log: Logger): Promise<string[]> {
  for (const deadlineMs = Date.now() + DATABASE_WAIT_MS; ; await delay(RETRY_MS)) {
    try {
      return await migrate(db);
    } catch (error) {
      const cause = error instanceof Error ? error.cause : null;
      if (!isDatabaseUnavailable(cause) || Date.now() > deadlineMs) throw error;
      log.warn({ err: cause }, 'Waiting for the database');
    }
  }
}

/** Builds everything that requests and jobs may need. */
export async function buildDependencies(
  config: Config,
  db: Database,
  log: Logger,
  stopping: AbortSignal,
): Promise<Dependencies> {
  const clock = () => new Date();
  return {
    config,
    db,
    storage: await createStorage(config),
    diskSpace: () => readDiskSpace(config.dataDir),
    clock,
    log,
    metrics: createMetrics(),
    guardedFetch: createGuardedFetch(config.outgoing),
    mailer: await createMailer({ ...config.mail, log }),
    payments: await createPaymentProvider(config, clock),
    enginePool: createEnginePool(),
    analysisEvents: createEventHub(db, ANALYSIS_EVENTS_CHANNEL),
    connectionSlots: createConnectionSlots(config.connectionSlots),
    pdfWriter: createPdfWriter(),
    sharePdf: createSingleFlight(),
    soundIndex: createSoundIndex(db),
    stopping,
  };
}
