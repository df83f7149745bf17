import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { createEnginePool } from '../analyses/attempt/engine-pool.ts';
import { ANALYSIS_EVENTS_CHANNEL } from '../analyses/events.ts';
import { createConnectionSlots } from '../analyses/reading/connection-slots.ts';
import { createPdfWriter } from '../analyses/report/pdf-writer.ts';
import { createSandboxProvider } from '../billing/sandbox-provider.ts';
import { type Config, readConfig } from '../config.ts';
import type { Context, Dependencies } from '../context.ts';
import { createSoundIndex } from '../library/sound-index.ts';
import { createEventHub } from '../platform/event-hub.ts';
import { createGuardedFetch } from '../platform/guarded-fetch.ts';
import { createLogger } from '../platform/log.ts';
import type { Mail, Mailer } from '../platform/mailer.ts';
import { createMetrics } from '../platform/metrics.ts';
import type { Database } from '../platform/postgres.ts';
import { createSingleFlight } from '../platform/single-flight.ts';
import { createFilesystemStorage } from '../platform/storage-filesystem.ts';
import { refuseSecondConnection } from './one-connection.ts';

const SECRET_KEY = 'the secret key of all tests of the server';

/**
 * Dependencies for a test: all real, except that storage is a temporary folder whose free space is unknown, mail is collected, payments go
 * to the sandbox, and outgoing requests may reach 127.0.0.1, where servers of the test listen. `env` overrides settings.
 */
export async function buildTestDependencies(
  db: Database,
  overrides: Partial<Dependencies> = {},
  env: Record<string, string> = {},
): Promise<Dependencies> {
  const dataDir = await mkdtemp(join(inject('testRunFolder'), 'data-'));
  const config = buildTestConfig({ DATA_DIR: dataDir, ...env });
  const clock = overrides.clock ?? (() => new Date());
  return {
    config,
    db: refuseSecondConnection(db),
    storage: await createFilesystemStorage(dataDir),
    diskSpace: async () => null,
    clock,
    log: createLogger({ level: process.env.LOG_LEVEL ?? 'silent' }),
    metrics: createMetrics(),
    guardedFetch: createGuardedFetch(config.outgoing),
    mailer: collectMail(),
    payments: createSandboxProvider(config, clock),
    enginePool: createEnginePool(),
    analysisEvents: createEventHub(db, ANALYSIS_EVENTS_CHANNEL),
    connectionSlots: createConnectionSlots(config.connectionSlots),
    pdfWriter: createPdfWriter(),
    sharePdf: createSingleFlight(),
    soundIndex: createSoundIndex(db),
    stopping: new AbortController().signal,
    ...overrides,
  };
}

/** The same with an actor, by default the system. */
export async function buildTestContext(
  db: Database,
  overrides: Partial<Context> = {},
  env: Record<string, string> = {},
): Promise<Context> {
  const dependencies = await buildTestDependencies(db, overrides, env);
  return { actor: { kind: 'system' }, requestId: 'test', ip: null, ...dependencies, ...overrides };
}

export function buildTestConfig(env: Record<string, string> = {}): Config {
  const defaults = {
    BASE_URL: 'http://earshot.test',
    ALLOW_PRIVATE_TARGETS: '127.0.0.1/32',
    SECRET_KEY,
    // A machine that runs many tests at once is slow, and must not shed requests for that.
    SHED_LOOP_DELAY_MS: '60000',
    SHED_POOL_WAIT_MS: '60000',
  };
  return readConfig({ ...defaults, ...env }, () => SECRET_KEY);
}

/** A mailer that collects the mails in `sent`. */
export function collectMail(): Mailer & { sent: Mail[] } {
  const sent: Mail[] = [];
  return { delivers: true, sent, send: async (mail) => void sent.push(mail), close: async () => {} };
}
