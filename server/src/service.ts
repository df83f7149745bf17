import { setMaxListeners } from 'node:events';
import type { FastifyInstance } from 'fastify';
import serverPackage from '../package.json' with { type: 'json' };
import { buildApp } from './app/app.ts';
import type { Config } from './config.ts';
import type { Dependencies } from './context.ts';
import { measureCorrections } from './corrections/correction-metrics.ts';
import { checkDecoderWalls } from './decoder-walls.ts';
import { buildDependencies, openMigratedDatabase } from './dependencies.ts';
import { StartError } from './errors.ts';
import { jobDefinitions } from './job-handlers.ts';
import type { JobKind } from './jobs/queue.ts';
import { measureQueue } from './jobs/queue-metrics.ts';
import { startWorker, type Worker } from './jobs/worker.ts';
import { closeAll } from './platform/close-all.ts';
import type { Logger } from './platform/log.ts';
import { measurePool } from './platform/metrics.ts';
import { type MetricsServer, startMetricsServer } from './platform/metrics-server.ts';
import { startTracing } from './platform/tracing.ts';
import { createRoutes } from './routes.ts';

export type ServiceRole = 'serve' | 'work' | 'all';

export type Service = {
  /** Null in the role `work`, which serves no requests. */
  url: string | null;
  /** Null when METRICS_PORT is not set. */
  metricsUrl: string | null;
  /** Lets running work finish within STOP_GRACE_SECONDS, hands the rest back, and closes everything. Safe to call twice. */
  stop(): Promise<void>;
};

/** Starts everything that a role needs; closes it again when a step fails. */
export async function startService(config: Config, role: ServiceRole, log: Logger): Promise<Service> {
  const stopping = new AbortController();
  // Every open long poll and stream adds a listener.
  setMaxListeners(0, stopping.signal);
  const { version } = serverPackage;
  const endTracing = await startTracing(config.tracing, log, { version, role });
  let database: Awaited<ReturnType<typeof openMigratedDatabase>> | null = null;
  let worker: Worker | null = null;
  let app: FastifyInstance | null = null;
  let deps: Dependencies | null = null;
  let metrics: MetricsServer | null = null;

  async function shutDown(): Promise<void> {
    const graceMs = config.stopGraceSeconds * 1_000;
    // Readiness turns off first, so that load balancers stop sending requests; then no new jobs and connections are accepted.
    stopping.abort();
    await closeAll([
      [() => worker?.stop(graceMs), () => app && closeApp(app, graceMs)],
      [() => metrics?.close()],
      [() => deps?.mailer.close()],
      [() => database?.close()],
      [endTracing],
    ]);
  }

  try {
    database = await openMigratedDatabase(config, log);
    if (database.applied.length > 0) log.info({ migrations: database.applied }, 'The database was migrated');
    deps = await buildDependencies(config, database.db, log, stopping.signal);
    metrics = await serveMetrics(deps);
    if (role !== 'work') {
      app = buildApp(deps, createRoutes({ isStopping: () => stopping.signal.aborted }));
      const url = await listen(app, config);
      // URLs in answers need the port chosen by the system. The dependencies share this config object.
      if (config.port === 0) config.baseUrl = config.baseUrl.replace(/:0$/, `:${new URL(url).port}`);
    }
    if (role !== 'serve') {
      await checkDecoderWalls(config, log);
      worker = await startWorker(deps, jobDefinitions);
    }
  } catch (error) {
    await shutDown().catch((closeError: unknown) =>
      log.error({ err: closeError }, 'Not everything could be closed'),
    );
    throw error;
  }
  let stopped: Promise<void> | null = null;
  return {
    url: app === null ? null : config.baseUrl,
    metricsUrl: metrics?.url ?? null,
    stop() {
      stopped ??= shutDown();
      return stopped;
    },
  };
}

async function serveMetrics(deps: Dependencies): Promise<MetricsServer | null> {
  const { clock, config, db, log, metrics } = deps;
  const { host, port, token } = config.metrics;
  if (port === null) return null;
  measurePool(metrics, db.poolUse);
  measureCorrections(metrics, db, clock);
  measureQueue(metrics, db, Object.keys(jobDefinitions) as JobKind[]);
  const server = await startMetricsServer({ host, port, token, registry: metrics.registry, log }).catch(
    (error: NodeJS.ErrnoException) => {
      throw new StartError(`METRICS_PORT ${port} on METRICS_HOST ${host} cannot be used: ${error.code}.`);
    },
  );
  log.info({ url: `${server.url}/metrics` }, 'Metrics are served');
  return server;
}

async function listen(app: FastifyInstance, config: Config): Promise<string> {
  try {
    return await app.listen({ host: config.host, port: config.port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new StartError(
        `Port ${config.port} is in use. Stop the other program, or set PORT to another one (0 for any free port).`,
      );
    }
    if (code === 'EACCES')
      throw new StartError(`This user may not listen on port ${config.port}. Choose one above 1023.`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new StartError(`HOST is ${config.host}, which is no address of this machine.`);
    }
    throw error;
  }
}

/** Delays the end of the process by at most this. */
const IDLE_CHECK_MS = 100;

/** Closes the listener and idle connections at once; requests in flight have `graceMs` before their connections are closed. */
async function closeApp(app: FastifyInstance, graceMs: number): Promise<void> {
  // A connection whose last request ends later would otherwise be kept alive, and the process with it.
  const idleTimer = setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_MS);
  const graceTimer = setTimeout(() => app.server.closeAllConnections(), graceMs);
  try {
    await app.close();
  } finally {
    clearInterval(idleTimer);
    clearTimeout(graceTimer);
  }
}
