import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, constants, fsyncSync, mkdtempSync, openSync, statSync, symlinkSync } from 'node:fs';
import { access, chown, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { ServerUser } from './folder-access.ts';
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.ts';
import {
  ADMIN_ROLE,
  ensureRoles,
  readOrMakePassword,
  runSingleUser,
  SERVICE_ROLE,
} from './postgres-roles.ts';

/**
 * The data directory of the embedded server, and what is needed to run PostgreSQL's programs on it.
 *
 * `<data>/postgres/` is ours: locks, log, password, perhaps a copy of the programs. `<data>/postgres/data/` belongs to the server's user
 * and contains `cluster/` with the socket. Only that user and root can enter it, and a connection also needs the password in
 * `<data>/postgres/password` (postgres-roles.ts).
 */
export type Cluster = {
  home: string;
  /** A path short enough for a socket address (107 bytes on Linux), however long the path of the data directory is. */
  socketFolder: string;
  user: ServerUser;
  binaries: PostgresBinaries;
  settings: Record<string, string>;
  dataFd: number;
  /** The password of the service's role. */
  password: string;
  /** Lets the superuser connect, in tests. Null otherwise. */
  adminPassword: string | null;
};

/** Only part of the socket's file name: the server does not listen on a network. */
const SOCKET_PORT = 5432;
/** A larger log is renamed at the next start, replacing the one renamed before, so that two of them at most take space. */
const LOG_BYTES_MAX = 10_000_000;
/** The part of the log that goes into the error of a failed start: a page or two of text. */
const LOG_EXCERPT_BYTES_MAX = 8_000;
/** A running server answers on its socket in milliseconds. */
const CONNECT_TIMEOUT_MS = 5_000;

type ClusterOptions = {
  dataDir: string;
  settings: Record<string, string>;
  adminPassword: string | null;
};

export async function openCluster({ dataDir, settings, adminPassword }: ClusterOptions): Promise<Cluster> {
  const home = join(dataDir, 'postgres');
  const data = join(home, 'data');
  await mkdir(home, { recursive: true, mode: 0o711 });
  await mkdir(data, { recursive: true, mode: 0o700 });
  await access(data, constants.R_OK | constants.X_OK).catch((cause) => {
    throw new Error(
      `${data} belongs to another user. Start Earshot as that user, or with another DATA_DIR.`,
      { cause },
    );
  });
  const user = await chooseServerUser(data);
  if (user !== null) await chown(data, user.uid, user.gid);
  const binaries = await findPostgresBinaries(user, [home, '/var/lib/earshot', '/var/tmp/earshot']);
  const dataFd = openSync(data, constants.O_RDONLY | constants.O_DIRECTORY);
  const socketFolder = shortName(dataFd, join(data, 'cluster'));
  const password = await readOrMakePassword(home);
  return { home, socketFolder, user, binaries, settings, dataFd, password, adminPassword };
}

/** Null unless we are root; then the owner of existing data, or else `postgres` or `nobody`. */
async function chooseServerUser(data: string): Promise<ServerUser> {
  if (process.getuid?.() !== 0) return null;
  const owner = await stat(data);
  if (owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const passwd = await readFile('/etc/passwd', 'utf8');
  for (const name of ['postgres', 'nobody']) {
    const entry = passwd.split('\n').find((line) => line.startsWith(`${name}:`));
    const [, , uid, gid] = entry?.split(':') ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(
    'PostgreSQL does not run as root, and there is no user "postgres" or "nobody". Start Earshot as an ordinary user, or set DATABASE_URL.',
  );
}

/** A socket address has 104 bytes on macOS, of which `/.s.PGSQL.5432` takes 14; the rest is a reserve. */
const PATH_BYTES_MAX = 80;

/** On Linux a path through the folder's open descriptor; elsewhere a symbolic link in /tmp if the path is too long. */
function shortName(dataFd: number, cluster: string): string {
  if (process.platform === 'linux') return `/proc/self/fd/${dataFd}/cluster`;
  if (Buffer.byteLength(cluster) < PATH_BYTES_MAX) return cluster;
  const link = join(mkdtempSync('/tmp/earshot-'), 'cluster');
  symlinkSync(cluster, link);
  return link;
}

export function connectionTo(cluster: Cluster, database: string): pg.ClientConfig {
  const { socketFolder: host, password } = cluster;
  return { host, port: SOCKET_PORT, user: SERVICE_ROLE, password, database };
}

/** Creates the cluster if there is none. The caller holds server.lock (`lockFd`), so an unfinished cluster is a leftover to delete. */
export async function initialiseCluster(cluster: Cluster, lockFd: number): Promise<void> {
  const data = join(cluster.home, 'data');
  const existing = await readFile(join(data, 'cluster', 'PG_VERSION'), 'utf8').catch(() => null);
  if (existing !== null) {
    if (existing.trim() === cluster.binaries.majorVersion) return;
    throw new Error(
      `${data} was made by PostgreSQL ${existing.trim()}, and this is version ${cluster.binaries.majorVersion}. ` +
        'Dump it with the old version of Earshot and restore it into a new data directory.',
    );
  }
  for (const name of await readdir(data)) {
    if (name.startsWith('cluster')) await rm(join(data, name), { recursive: true, force: true });
  }
  // Created under another name and renamed, so that `cluster` is always complete, even after a kill.
  const partial = `cluster.initialising-${randomBytes(4).toString('hex')}`;
  const output = await runInitdb(cluster, partial, lockFd);
  if (output !== null) throw new Error(`initdb failed:\n${output}`);
  await rename(join(data, partial), join(data, 'cluster'));
  fsyncSync(cluster.dataFd);
}

/** Returns null on success, otherwise the output. */
async function runInitdb(cluster: Cluster, name: string, lockFd: number): Promise<string | null> {
  const args = [
    // Rejects every connection until postgres-roles.ts has written its rules.
    ...['-D', `${dataFolderOfChild(cluster)}/${name}`, '-U', ADMIN_ROLE, '--auth=reject', '--encoding=UTF8'],
    ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
  ];
  const child = spawn(cluster.binaries.initdb, args, {
    ...childOptions(cluster),
    stdio: ['ignore', 'pipe', 'pipe', cluster.dataFd, lockFd],
  });
  const output: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => output.push(chunk));
  const status = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  return status === 0 ? null : Buffer.concat(output).toString();
}

/** The caller holds server.lock (`lockFd`), and the server is not running. */
export async function setUpRoles(cluster: Cluster, lockFd: number): Promise<void> {
  const { home, password, adminPassword } = cluster;
  const args = ['-D', `${dataFolderOfChild(cluster)}/cluster`, '-c', 'log_min_messages=error'];
  await removeLeftovers(cluster);
  await ensureRoles({
    home,
    password,
    adminPassword,
    administer: (database, statements) =>
      runSingleUser(cluster.binaries.postgres, args, database, statements, {
        ...childOptions(cluster),
        stdio: ['pipe', 'pipe', 'pipe', cluster.dataFd, lockFd],
      }),
  });
}

/** Safe because we hold server.lock. PostgreSQL itself would go by the pid in the file, which may belong to another process by now. */
async function removeLeftovers(cluster: Cluster): Promise<void> {
  const folder = join(cluster.home, 'data', 'cluster');
  for (const name of ['postmaster.pid', `.s.PGSQL.${SOCKET_PORT}`, `.s.PGSQL.${SOCKET_PORT}.lock`]) {
    await rm(join(folder, name), { force: true });
  }
}

/**
 * Starts the server. It and its processes inherit `lockFd`, so server.lock is released only when the last of them has ended. `ended`
 * resolves to the server's log since this start.
 */
export async function launchServer(cluster: Cluster, lockFd: number): Promise<{ ended: Promise<string> }> {
  await removeLeftovers(cluster);
  const logPath = join(cluster.home, 'postgres.log');
  if ((statSync(logPath, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES_MAX)
    await rename(logPath, `${logPath}.1`);
  const settings = { ...SERVER_SETTINGS, ...cluster.settings };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const logFd = openSync(logPath, 'a', 0o600);
  const logStartByte = statSync(logPath).size;
  const child = spawn(cluster.binaries.postgres, ['-D', `${dataFolderOfChild(cluster)}/cluster`, ...args], {
    ...childOptions(cluster),
    // In a separate session, so that Ctrl-C in our terminal does not stop the server before us.
    detached: true,
    stdio: ['ignore', logFd, logFd, cluster.dataFd, lockFd],
  });
  closeSync(logFd);
  child.unref();
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    // The log may be gone: tests delete their data directory.
    child.once('exit', async () => resolve(await readFrom(logPath, logStartByte).catch(() => '')));
  });
  return { ended };
}

const SERVER_SETTINGS: Record<string, string> = {
  listen_addresses: '',
  unix_socket_directories: '.',
  port: String(SOCKET_PORT),
  max_connections: '100',
  fsync: 'on',
  synchronous_commit: 'on',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
  log_line_prefix: '%m [%p] ',
  // Parallel queries would need more than the 64 MB of shared memory that containers have by default. Ours are short.
  max_parallel_workers_per_gather: '0',
  cluster_name: 'earshot',
};

/** On Linux the child reaches its folder through descriptor 3, even below a folder that its user cannot enter. */
function dataFolderOfChild(cluster: Cluster): string {
  return process.platform === 'linux' ? '/proc/self/fd/3' : join(cluster.home, 'data');
}

function childOptions(cluster: Cluster) {
  return { cwd: '/', env: { LC_ALL: 'C', TZ: 'UTC' }, ...(cluster.user ?? {}) };
}

async function readFrom(path: string, startByte: number): Promise<string> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read({
      buffer: Buffer.alloc(LOG_EXCERPT_BYTES_MAX),
      position: startByte,
    });
    return buffer.subarray(0, bytesRead).toString();
  } finally {
    await file.close();
  }
}

/** SQLSTATEs. */
const INVALID_PASSWORD = '28P01';
const CANNOT_CONNECT_NOW = '57P03';

/** `starting` includes crash recovery and shutting down. */
export async function readServerState(cluster: Cluster): Promise<'ready' | 'starting' | 'unreachable'> {
  const client = new pg.Client({
    ...connectionTo(cluster, 'postgres'),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return 'ready';
  } catch (error) {
    const { code } = error as pg.DatabaseError;
    if (code === INVALID_PASSWORD) {
      throw new Error(
        `PostgreSQL in ${cluster.home} runs with another password than the one in ${join(cluster.home, 'password')}. ` +
          'Stop every process of Earshot that uses this data directory; the next start sets the password again.',
        { cause: error },
      );
    }
    return code === CANNOT_CONNECT_NOW ? 'starting' : 'unreachable';
  } finally {
    await client.end().catch(() => {});
  }
}

/** The running server's pid, the first line of postmaster.pid. */
export async function readServerPid(cluster: Cluster): Promise<number> {
  const text = await readFile(join(cluster.home, 'data', 'cluster', 'postmaster.pid'), 'utf8');
  return Number.parseInt(text, 10);
}
