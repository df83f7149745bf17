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
  /** Null in the role `work`, which does not listen. */
  url: string | null;
  /** Null when METRICS_PORT is not set. */
  metricsUrl: string | null;
  /** Lets running work finish within the configured grace, releases the rest, and closes everything. Safe to call twice. */
  stop(): Promise<void>;
};

/** Starts everything that a role needs, and closes all of it again when a step fails. */
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

  async function takeDown(): Promise<void> {
    const graceMs = config.stopGraceSeconds * 1_000;
    // First no longer ready, so that load balancers stop sending requests; then no new jobs and connections.
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
    if (database.applied.length > 0)
      log.info({ migrations: database.applied }, 'The database was brought up to date');
    deps = await buildDependencies(config, database.db, log, stopping.signal);
    metrics = await serveMetrics(deps);
    if (role !== 'work') {
      app = buildApp(deps, createRoutes({ isStopping: () => stopping.signal.aborted }));
      const url = await listen(app, config);
      // URLs in answers need the port that the system chose. The dependencies share this config object.
      if (config.port === 0) config.baseUrl = config.baseUrl.replace(/:0$/, `:${new URL(url).port}`);
    }
    if (role !== 'serve') {
      await checkDecoderWalls(config, log);
      worker = await startWorker(deps, jobDefinitions);
    }
  } catch (error) {
    await takeDown().catch((left: unknown) => log.error({ err: left }, 'Not everything could be closed'));
    throw error;
  }
  let stopped: Promise<void> | null = null;
  return {
    url: app === null ? null : config.baseUrl,
    metricsUrl: metrics?.url ?? null,
    stop() {
      stopped ??= takeDown();
      return stopped;
    },
  };
}

async function serveMetrics({
  clock,
  config,
  db,
  log,
  metrics,
}: Dependencies): Promise<MetricsServer | null> {
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
  log.info({ url: `${server.url}/metrics` }, 'Figures are served');
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
      throw new StartError(`Port ${config.port} is not open to this user. Choose one above 1023.`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new StartError(`HOST is ${config.host}, which is no address of this machine.`);
    }
    throw error;
  }
}

/** Chosen: the end of the process is delayed by at most this. */
const IDLE_CHECK_MS = 100;

/** Closes the listener and idle connections at once; requests in flight get the grace before their connections are cut. */
async function closeApp(app: FastifyInstance, graceMs: number): Promise<void> {
  // Otherwise a connection whose last request ends after that would be kept alive, and with it the process.
  const idle = setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_MS);
  const cut = setTimeout(() => app.server.closeAllConnections(), graceMs);
  try {
    await app.close();
  } finally {
    clearInterval(idle);
    clearTimeout(cut);
  }
}
