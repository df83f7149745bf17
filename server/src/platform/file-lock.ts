import { spawn } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * A lock of the kernel (flock) on a file. It ends with the last process that holds its descriptor, however that process
 * ends, so there is no stale lock to judge by process ids. A child that is handed `fd` holds it as well.
 */
export type FileLock = { readonly fd: number; release(): void };

type LockMode = 'exclusive' | 'shared';

/** Null when others still hold it after `waitMs`. */
export async function lockFile(path: string, mode: LockMode, waitMs: number): Promise<FileLock | null> {
  if (process.platform === 'linux') return lockThroughHelper(path, mode, waitMs);
  if (process.platform === 'darwin') return lockOnOpen(path, mode, waitMs);
  throw new Error(
    'The embedded PostgreSQL runs on Linux and macOS. Set DATABASE_URL to use a server of your own.',
  );
}

/** Exit status of flock(1) for "somebody else has it", told apart from its own failures. */
const CONFLICT_STATUS = 75;

/**
 * Node cannot call flock(2). flock(1) can, on a descriptor it inherits: the lock belongs to the open file, which we
 * share, and so it stays with us when the helper has ended.
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

/** macOS takes the lock in open(2) itself. */
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
