import { closeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type FileLock, lockFile } from './file-lock.ts';
import type { Logger } from './log.ts';
import type { DatabaseConnection } from './postgres.ts';
import {
  type Cluster,
  connectionTo,
  initialiseCluster,
  launchServer,
  openCluster,
  readServerPid,
  readServerState,
  setUpRoles,
} from './postgres-cluster.ts';
import { ADMIN_ROLE, DATABASE_NAME } from './postgres-roles.ts';

/**
 * A real PostgreSQL in the data directory, started by the first of our processes and shared by all of them.
 *
 * Three kernel locks coordinate this. The kernel releases a lock when its holder dies, so a crash leaves no stale ones:
 * - `start.lock`, exclusive: held while starting or stopping the server.
 * - `server.lock`, exclusive: held by the processes of the server. A process that acquires it knows that none of them is left.
 * - `users.lock`, shared: held by each of our processes that uses the server. A leaving process that can acquire it exclusively was
 *   the last one and stops the server.
 */
type EmbeddedPostgres = {
  connection: DatabaseConnection;
  /** As the superuser; null unless `adminPassword` was given. */
  adminConnection: DatabaseConnection | null;
  /** The socket's folder for other processes: `connection` refers to it by a file descriptor of this one. */
  socketFolder: string;
  /** Stops using the server; the last process to do so stops it. */
  stop(): Promise<void>;
};

/** Crash recovery replays the log since the last completed checkpoint, which is minutes old (checkpoint_timeout is 5 minutes). */
const STARTING_MS_MAX = 300_000;
/** Another process holds start.lock until the server has recovered. */
const START_LOCK_WAIT_MS = 2 * STARTING_MS_MAX;
/** The remaining processes of a killed server exit within moments, busy ones a little later. */
const UNREACHABLE_MS_MAX = 60_000;
const STOP_MS_MAX = 60_000;
const POLL_MS = 50;
const CONNECT_TIMEOUT_MS = 5_000;
const RESTART_RETRY_MS = 1_000;

export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log: Logger;
  settings?: Record<string, string>;
  /** For tests: the password with which the superuser can connect. */
  adminPassword?: string;
}): Promise<EmbeddedPostgres> {
  const { log, dataDir, settings = {}, adminPassword = null } = options;
  const cluster = await openCluster({ dataDir, settings, adminPassword });
  const users = await withStartLock(cluster, async () => {
    await ensureServer(cluster, log);
    return acquireLock(cluster, 'users.lock', 'shared', 0);
  });
  const watch = watchServer(cluster, log);
  return {
    connection: connectionTo(cluster, DATABASE_NAME),
    adminConnection:
      adminPassword === null
        ? null
        : { ...connectionTo(cluster, 'postgres'), user: ADMIN_ROLE, password: adminPassword },
    socketFolder: join(cluster.home, 'data', 'cluster'),
    async stop() {
      await watch.end();
      await withStartLock(cluster, () => leaveServer(cluster, users, log));
      closeSync(cluster.dataFd);
    },
  };
}

async function withStartLock<T>(cluster: Cluster, work: () => Promise<T>): Promise<T> {
  const lock = await acquireLock(cluster, 'start.lock', 'exclusive', START_LOCK_WAIT_MS);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

async function acquireLock(
  cluster: Cluster,
  name: string,
  mode: 'exclusive' | 'shared',
  waitMs: number,
): Promise<FileLock> {
  const lock = await lockFile(join(cluster.home, name), mode, waitMs);
  if (lock === null) throw new Error(`Another process has held ${join(cluster.home, name)} for too long`);
  return lock;
}

/** Returns once the server answers, after starting it if necessary. Needs start.lock. */
async function ensureServer(cluster: Cluster, log: Logger): Promise<void> {
  const startedMs = Date.now();
  let launched: { ended: Promise<string> } | null = null;
  for (;;) {
    const lock = await lockFile(join(cluster.home, 'server.lock'), 'exclusive', 0);
    if (lock !== null) {
      try {
        if (launched !== null) throw new Error(`PostgreSQL did not start:\n${await launched.ended}`);
        await initialiseCluster(cluster, lock.fd);
        await setUpRoles(cluster, lock.fd);
        launched = await launchServer(cluster, lock.fd);
      } finally {
        lock.release();
      }
    }
    const state = await readServerState(cluster);
    if (state === 'ready') return;
    if (Date.now() - startedMs > (state === 'starting' ? STARTING_MS_MAX : UNREACHABLE_MS_MAX)) {
      throw new Error(`PostgreSQL in ${cluster.home} is running but does not answer; see postgres.log there`);
    }
    log.debug({ state }, 'Waiting for PostgreSQL');
    await delay(POLL_MS);
  }
}

/**
 * Keeps one idle connection open. When it breaks, the server is gone or restarting, and this waits for it or starts it again: a killed
 * server must not leave the service without a database.
 */
function watchServer(cluster: Cluster, log: Logger): { end(): Promise<void> } {
  const stop = new AbortController();
  const loop = (async () => {
    for (let first = true; !stop.signal.aborted; first = false) {
      try {
        if (!first) await withStartLock(cluster, () => ensureServer(cluster, log));
        await untilConnectionBreaks(cluster, stop.signal);
        if (!stop.signal.aborted) log.warn('PostgreSQL stopped; restarting it');
      } catch (error) {
        if (stop.signal.aborted) return;
        log.error({ err: error }, 'PostgreSQL could not be restarted; retrying');
        await delay(RESTART_RETRY_MS);
      }
    }
  })();
  return {
    async end() {
      stop.abort();
      await loop;
    },
  };
}

async function untilConnectionBreaks(cluster: Cluster, stop: AbortSignal): Promise<void> {
  const client = new pg.Client({
    ...connectionTo(cluster, 'postgres'),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  const broken = new Promise<void>((resolve) => client.once('end', resolve));
  client.on('error', () => {});
  await client.connect();
  const leave = () => void client.end().catch(() => {});
  if (stop.aborted) leave();
  stop.addEventListener('abort', leave, { once: true });
  await broken;
  stop.removeEventListener('abort', leave);
}

/** Needs start.lock, so that no process can start to use the server between the check for other users and the shutdown. */
async function leaveServer(cluster: Cluster, users: FileLock, log: Logger): Promise<void> {
  users.release();
  const lastUser = await lockFile(join(cluster.home, 'users.lock'), 'exclusive', 0);
  if (lastUser === null) return;
  lastUser.release();
  if ((await readServerState(cluster)) === 'unreachable') return;
  // SIGINT requests a fast shutdown, which closes connections and flushes to disk.
  process.kill(await readServerPid(cluster), 'SIGINT');
  const free = await lockFile(join(cluster.home, 'server.lock'), 'exclusive', STOP_MS_MAX);
  if (free === null) log.warn('PostgreSQL is still stopping');
  free?.release();
}
