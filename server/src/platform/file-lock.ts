import { spawn } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * A kernel lock (flock) on a file. The kernel releases it when the last process with its descriptor ends, even by a kill, so locks are
 * never stale. A child process that inherits `fd` holds the lock as well.
 */
export type FileLock = { readonly fd: number; release(): void };

type LockMode = 'exclusive' | 'shared';

/** Null when another process still holds the lock after `waitMs`. */
export async function lockFile(path: string, mode: LockMode, waitMs: number): Promise<FileLock | null> {
  if (process.platform === 'linux') return lockThroughHelper(path, mode, waitMs);
  if (process.platform === 'darwin') return lockOnOpen(path, mode, waitMs);
  throw new Error(
    'The embedded PostgreSQL runs on Linux and macOS. Set DATABASE_URL to use a server of your own.',
  );
}

/** What we ask flock(1) to exit with when the lock is taken: EX_TEMPFAIL, which it does not use for its own errors. */
const CONFLICT_STATUS = 75;

/**
 * Node cannot call flock(2), so the command flock(1) calls it on an inherited descriptor. The lock belongs to the open file description,
 * which we share with the command, so we keep it after the command has exited.
 */
async function lockThroughHelper(path: string, mode: LockMode, waitMs: number): Promise<FileLock | null> {
  const fd = openSync(path, 'a', 0o600);
  try {
    const wait = waitMs === 0 ? ['--nonblock'] : ['--timeout', String(waitMs / 1000)];
    const status = await runFlock([`--${mode}`, `--conflict-exit-code=${CONFLICT_STATUS}`, ...wait, '3'], fd);
    if (status === 0) return { fd, release: () => closeSync(fd) };
    if (status !== CONFLICT_STATUS) throw new Error(`flock on ${path} ended with status ${status}`);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  closeSync(fd);
  return null;
}

function runFlock(args: string[], fd: number): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const helper = spawn('flock', args, { stdio: ['ignore', 'ignore', 'inherit', fd] });
    helper.once('exit', resolve);
    helper.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'ENOENT'
          ? new Error(
              'The embedded PostgreSQL needs the flock command (package util-linux). Install it, or set DATABASE_URL.',
            )
          : error,
      ),
    );
  });
}

/** On macOS, open(2) itself can take the lock with these flags. */
const O_SHLOCK = 0x10;
const O_EXLOCK = 0x20;
const RETRY_MS = 50;

async function lockOnOpen(path: string, mode: LockMode, waitMs: number): Promise<FileLock | null> {
  const flags =
    constants.O_RDWR |
    constants.O_CREAT |
    constants.O_NONBLOCK |
    (mode === 'exclusive' ? O_EXLOCK : O_SHLOCK);
  for (const deadlineMs = Date.now() + waitMs; ; await delay(RETRY_MS)) {
    try {
      const fd = openSync(path, flags, 0o600);
      return { fd, release: () => closeSync(fd) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      if (Date.now() >= deadlineMs) return null;
    }
  }
}
