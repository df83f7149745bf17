import { readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { beforeExit, startProcess } from './processes.ts';
import { REPOSITORY } from './repository.ts';
import { until } from './until.ts';

export type PostgresServer = {
  /** For services that connect through the server's socket. */
  url: string;
  /** For services that connect through a proxy on this port of the loopback interface. */
  urlThrough(port: number): string;
  socketPath: string;
  pool: pg.Pool;
  /** Counts rows; `rows` is a table and its conditions, the text after `from`. */
  count(rows: string, ...params: unknown[]): Promise<number>;
  /** The process id of the server, which changes when it restarts. */
  pid(): Promise<number>;
  /** Whether it accepts connections. */
  answers(): Promise<boolean>;
  /** Creates an empty database on the same server; its `stop` leaves the server running. */
  createDatabase(name: string): Promise<PostgresServer>;
  stop(): Promise<void>;
};

const ADMIN_PASSWORD = 'of the harness';
const CONNECT_MS_MAX = 5_000;
/** Shorter, since a server that is down is asked again and again. */
const PROBE_MS_MAX = 2_000;
/** For a checkpoint and the end of all connections, on a busy machine. */
const STOP_MS_MAX = 30_000;

/** Runs `work` with a server in a temporary folder, and removes both afterwards. */
export async function withPostgresServer<T>(
  name: string,
  work: (postgres: PostgresServer, folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), `earshot-${name}-`));
  // Started by root, PostgreSQL runs as another user, who must be able to enter its folder below.
  await chmod(folder, 0o711);
  await mkdir(join(folder, 'database'));
  const postgres = await startPostgresServer(join(folder, 'database'));
  try {
    return await work(postgres, folder);
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Starts a PostgreSQL with fsync on, independent of the service's processes, and a keeper process that restarts it when a scenario kills
 * it.
 */
export async function startPostgresServer(folder: string): Promise<PostgresServer> {
  const keeper = startProcess({
    command: process.execPath,
    args: [join(REPOSITORY, 'server', 'dist', 'test', 'use-postgres.js'), folder, 'keeper', ADMIN_PASSWORD],
    env: { LOG_LEVEL: 'warn' },
    logPath: join(folder, '..', 'postgres-keeper.log'),
  });
  if ((await keeper.waitForLine(/^ready$/)) === null)
    throw new Error(`PostgreSQL did not start; see ${folder}/postgres/postgres.log`);
  const cluster = join(folder, 'postgres', 'data', 'cluster');
  const pidPath = join(cluster, 'postmaster.pid');
  // The server outlives the process that started it, so it must be stopped explicitly.
  const forget = beforeExit(() =>
    process.kill(Number.parseInt(readFileSync(pidPath, 'utf8'), 10), 'SIGQUIT'),
  );
  const password = (await readFile(join(folder, 'postgres', 'password'), 'utf8')).trim();
  const main = openDatabase(cluster, password, 'earshot');
  const server: PostgresServer = {
    ...main,
    socketPath: join(cluster, '.s.PGSQL.5432'),
    pid: async () => Number.parseInt(await readFile(pidPath, 'utf8'), 10),
    async createDatabase(name) {
      await main.pool.query(`create database ${name} owner earshot`);
      const made = openDatabase(cluster, password, name);
      return { ...server, ...made, stop: () => made.pool.end() };
    },
    async stop() {
      await main.pool.end();
      keeper.child.stdin?.write('leave\n');
      await until(() => keeper.hasEnded(), STOP_MS_MAX);
      if (!keeper.hasEnded()) keeper.child.kill('SIGKILL');
      else forget();
    },
  };
  return server;
}

/** The harness connects as superuser, which row security does not limit; services use the role that they have in production. */
function openDatabase(
  cluster: string,
  password: string,
  database: string,
): Pick<PostgresServer, 'url' | 'urlThrough' | 'pool' | 'count' | 'answers'> {
  const connection = { host: cluster, port: 5432, user: 'earshot_admin', password: ADMIN_PASSWORD, database };
  const pool = new pg.Pool({ ...connection, max: 4, connectionTimeoutMillis: CONNECT_MS_MAX });
  pool.on('error', () => {});
  return {
    url: `postgres://earshot:${password}@localhost:5432/${database}?host=${encodeURIComponent(cluster)}`,
    urlThrough: (port) => `postgres://earshot:${password}@127.0.0.1:${port}/${database}`,
    pool,
    async count(rows, ...params) {
      const answer = await pool.query<{ count: number }>(
        `select count(*)::int as count from ${rows}`,
        params,
      );
      return answer.rows[0]!.count;
    },
    async answers() {
      const client = new pg.Client({ ...connection, connectionTimeoutMillis: PROBE_MS_MAX });
      client.on('error', () => {});
      try {
        await client.connect();
        return true;
      } catch {
        return false;
      } finally {
        await client.end().catch(() => {});
      }
    },
  };
}
