import type { FastifyInstance } from 'fastify';
import type { Config } from './config.ts';
import type { Dependencies } from './context.ts';
import { buildDependencies, openMigratedDatabase } from './dependencies.ts';
import { buildApp } from './http/app.ts';
import { jobDefinitions } from './jobs/handlers.ts';
import { startWorker, type Worker } from './jobs/worker.ts';
import type { Logger } from './platform/log.ts';
import { createRoutes } from './routes.ts';

export type ServiceRole = 'serve' | 'work' | 'all';

export type Service = {
  /** Null for a process that only works. */
  url: string | null;
  /** Finishes what it can in the configured grace, hands back the rest, and frees everything. Safe to call twice. */
  stop(): Promise<void>;
};

/** Builds everything a role needs, in order; `stop` takes it down in reverse. */
export async function startService(config: Config, role: ServiceRole, log: Logger): Promise<Service> {
  const stopping = new AbortController();
  const database = await openMigratedDatabase(config, log);
  if (database.applied.length > 0)
    log.info({ migrations: database.applied }, 'The database was brought up to date');
  let worker: Worker | null = null;
  let app: FastifyInstance | null = null;
  let deps: Dependencies | null = null;

  async function takeDown(): Promise<void> {
    const graceMs = config.stopGraceSeconds * 1_000;
    // Not ready first, so that whoever sends requests here stops; then no new job, no new connection.
    stopping.abort();
    await Promise.all([worker?.stop(graceMs), app && closeApp(app, graceMs)]);
    await deps?.mailer.close();
    await database.close();
  }

  try {
    deps = await buildDependencies(config, database.db, log, stopping.signal);
    if (role !== 'work') {
      app = buildApp(deps, createRoutes({ isStopping: () => stopping.signal.aborted }));
      const url = await listen(app, config);
      if (config.port === 0) config.baseUrl = config.baseUrl.replace(/:0$/, `:${new URL(url).port}`);
    }
    if (role !== 'serve') worker = await startWorker(deps, jobDefinitions);
  } catch (error) {
    await takeDown();
    throw error;
  }
  let stopped: Promise<void> | null = null;
  return {
    url: app === null ? null : config.baseUrl,
    stop() {
      stopped ??= takeDown();
      return stopped;
    },
  };
}

async function listen(app: FastifyInstance, config: Config): Promise<string> {
  try {
    return await app.listen({ host: config.host, port: config.port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new StartError(
        `Port ${config.port} is in use. Stop the other program, or choose another port: PORT=${config.port + 1} (0 for any free one).`,
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

/** A mistake of the surroundings with a sentence for the person who starts us; no stack is of use. */
export class StartError extends Error {}

/** Closes the listener and idle connections at once; requests in flight get the grace, then they are cut. */
async function closeApp(app: FastifyInstance, graceMs: number): Promise<void> {
  // A connection whose last request ends only now would be kept alive for the next, and the process with it.
  const idle = setInterval(() => app.server.closeIdleConnections(), 100);
  const cut = setTimeout(() => app.server.closeAllConnections(), graceMs);
  await app.close();
  clearInterval(idle);
  clearTimeout(cut);
}
