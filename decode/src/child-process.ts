import { type ChildProcess, spawn } from 'node:child_process';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { openChildOutput, SOCKET_NAME } from './child-output.ts';
import type { DecodeLimits } from './limits.ts';
import type { MessageReader } from './messages.ts';
import { probeSandbox, sandboxedCommand } from './sandbox.ts';
import type { SandboxWall } from './walls.ts';

/** Enough for the stack trace of one failure in the log. */
const STDERR_BYTES_MAX = 4_096;
/** The kernel enforces the same limit on mapped memory, so shorter peaks may go unnoticed. */
const MEMORY_POLL_MS = 100;
const DIRECTORY_PREFIX = 'earshot-decode-';
/** A child loads its code, after which its directory is removed, in far less time. */
const ABANDONED_AFTER_MS = 60_000;

export type SandboxedChild = {
  process: ChildProcess;
  /** The walls that the child must report in its first message. */
  walls: SandboxWall[];
  messages: MessageReader;
  /** Why the child could not be started, or the first bytes of its standard error; the rest is discarded. */
  errorOutput(): string;
  /** Resolves when the process has ended. */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  kill(): void;
  /** Stops reading its output. */
  closeOutput(): void;
  /** Call this once the child has loaded its code, so that no directory is left behind if this process is killed. */
  removeDirectory(): void;
};

/** The bundled child, which is in this package even if the caller was bundled elsewhere. */
export function childEntry(): string {
  const require = createRequire(import.meta.url);
  // The real path: workspaces are symbolic links, and the child may read only the paths it is given.
  const packageFile = realpathSync(require.resolve('@earshot/decode/package.json'));
  return path.join(path.dirname(packageFile), 'dist', 'child.cjs');
}

/**
 * Starts `entry` in its own process group, behind every wall, in an empty directory and with an empty environment. Its only input is
 * the open file `inputFd`, which it receives as descriptor 3.
 */
export async function startSandboxed(
  entry: string,
  args: string[],
  inputFd: number,
  limits: DecodeLimits,
  onMemoryExceeded: () => void,
): Promise<SandboxedChild> {
  const sandbox = await probeSandbox(entry);
  removeAbandonedDirectories();
  const [program, ...programArgs] = sandboxedCommand(sandbox, entry, args, limits);
  const cwd = mkdtempSync(path.join(os.tmpdir(), DIRECTORY_PREFIX));
  const removeDirectory = () => rmSync(cwd, { recursive: true, force: true });
  const output = await openChildOutput(cwd);
  let child: ChildProcess;
  try {
    child = spawn(program!, programArgs, {
      cwd,
      env: {},
      stdio: ['ignore', output.stdio, 'pipe', inputFd],
      detached: process.platform !== 'win32',
    });
  } catch (error) {
    // For example, the system has no memory for another process.
    output.close();
    removeDirectory();
    throw error;
  }
  if (child.pid !== undefined) inheritNiceness(child.pid, os.getPriority());

  const kill = () => killChild(child, sandbox.launcher !== null);
  const errorOutput = collectErrorOutput(child);
  const stopWatching = watchMemory(child, sandbox.launcher !== null, limits.memoryBytesMax, onMemoryExceeded);
  killsOnExit.add(kill);
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    const end = (code: number | null, signal: NodeJS.Signals | null) => {
      stopWatching();
      killsOnExit.delete(kill);
      removeDirectory();
      resolve({ code, signal });
    };
    child.once('error', () => end(null, null));
    child.once('exit', end);
  });
  output.attach(child.stdout);
  return {
    process: child,
    walls: sandbox.walls,
    messages: output.messages,
    errorOutput,
    exited,
    kill,
    closeOutput: output.close,
    removeDirectory,
  };
}

function collectErrorOutput(child: ChildProcess): () => string {
  let text = '';
  child.once('error', (error) => {
    text += String(error);
  });
  // There is no stderr if the child could not be started because no descriptors were free.
  child.stderr?.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1').slice(0, Math.max(0, STDERR_BYTES_MAX - text.length));
  });
  return () => text;
}

/**
 * Linux divides processor time among sessions before it considers the niceness of their processes, and every new session starts with
 * niceness 0 (sched(7), autogroups). The decoder runs in a separate session, so without this it would compete as an equal of programs
 * that its service yields to. Its session gets the niceness of this process or of this session, whichever is higher.
 */
export function inheritNiceness(sessionLeaderPid: number, ownNice: number): void {
  try {
    // Empty for a process started before any session, as in some containers: its niceness is 0.
    const sessionNice = /nice (-?\d+)/.exec(readFileSync('/proc/self/autogroup', 'utf8'))?.[1] ?? 0;
    const nice = Math.max(Number(sessionNice), ownNice);
    if (nice > 0) writeFileSync(`/proc/${sessionLeaderPid}/autogroup`, String(nice));
  } catch {
    // The system has no autogroups, the child has ended, or another session was set within a tenth of a second (a limit for all but root).
  }
}

let hasRemovedAbandoned = false;

/** Removes directories of processes that were killed while their child was starting. Once per process is enough. */
function removeAbandonedDirectories(): void {
  if (hasRemovedAbandoned) return;
  hasRemovedAbandoned = true;
  for (const name of readdirSync(os.tmpdir()).filter((found) => found.startsWith(DIRECTORY_PREFIX))) {
    const directory = path.join(os.tmpdir(), name);
    try {
      if (Date.now() - statSync(directory).mtimeMs <= ABANDONED_AFTER_MS) continue;
      // Our directories contain at most the socket; rmdir fails if there is anything else.
      rmSync(path.join(directory, SOCKET_NAME), { force: true });
      rmdirSync(directory);
    } catch {
      // Another process removed it first, or it belongs to another user.
    }
  }
}

/**
 * Kills the whole process group, so that nothing the child has started survives. With a launcher only its guard process is killed: the
 * decoder dies with the guard, then the launcher reaps the guard and exits. If the launcher were killed too, the guard would become a
 * zombie in a container whose first process is Node, which reaps only its own children.
 */
function killChild(child: ChildProcess, isLaunched: boolean): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const guardPid = isLaunched ? onlyChildOf(child.pid) : null;
  try {
    process.kill(guardPid ?? (process.platform === 'win32' ? child.pid : -child.pid), 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}

const killsOnExit = new Set<() => void>();
process.on('exit', () => {
  for (const kill of killsOnExit) kill();
});

/** Linux only: elsewhere, reading the memory use of another process means starting a program. */
function watchMemory(
  child: ChildProcess,
  isLaunched: boolean,
  bytesMax: number,
  onExceeded: () => void,
): () => void {
  if (process.platform !== 'linux' || child.pid === undefined) return () => {};
  let decoderPid = isLaunched ? null : child.pid;
  const timer = setInterval(() => {
    decoderPid ??= decoderOf(child.pid!);
    if (decoderPid !== null && isResidentAbove(bytesMax, decoderPid)) onExceeded();
  }, MEMORY_POLL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** The launcher's child is the guard, whose child is the decoder. Null until it has started, and on kernels that do not list children. */
function decoderOf(launcherPid: number): number | null {
  const guardPid = onlyChildOf(launcherPid);
  return guardPid === null ? null : onlyChildOf(guardPid);
}

function onlyChildOf(pid: number): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ')[0]) || null;
  } catch {
    return null;
  }
}

/** False once the process has ended. */
function isResidentAbove(bytesMax: number, pid: number): boolean {
  try {
    const residentKib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return Number(residentKib) * 1024 > bytesMax;
  } catch {
    return false;
  }
}
