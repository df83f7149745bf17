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

/** Chosen: enough for the stack trace of one failure in the log. */
const STDERR_BYTES_MAX = 4_096;
/** Chosen: a shorter peak harms nobody, and the kernel has a limit of its own. */
const MEMORY_POLL_MS = 100;
const DIRECTORY_PREFIX = 'earshot-decode-';
/** Chosen: a child loads its code, and its directory is removed, in far less time. */
const ABANDONED_MS = 60_000;

export type SandboxedChild = {
  process: ChildProcess;
  /** The walls it must find standing; it names those it finds in its first message. */
  walls: SandboxWall[];
  /** What it writes to its standard output. */
  messages: MessageReader;
  /** The first bytes of its standard error, or why it could not be started. The rest is read and dropped. */
  complaints(): string;
  /** Resolves when the process is gone. */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  kill(): void;
  /** Reads no more of its output. */
  closeOutput(): void;
  /** Removes its directory before it ends: once it has loaded its code, so that no directory is left if we are killed. */
  removeDirectory(): void;
};

/** The path of the bundled child, which lies in this package even if the caller was bundled elsewhere. */
export function childEntry(): string {
  const require = createRequire(import.meta.url);
  // The real path: workspaces are symbolic links, and the child may read only the paths it is given.
  const packageFile = realpathSync(require.resolve('@earshot/decode/package.json'));
  return path.join(path.dirname(packageFile), 'dist', 'child.cjs');
}

/**
 * Starts `entry` in its own process group, behind every wall, in an empty directory and with an empty environment. Its
 * only way in is the open file `inputFd`, which it sees as descriptor 3.
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
  if (child.pid !== undefined) keepNiceness(child.pid, os.getPriority());

  const kill = () => killChild(child, sandbox.launcher !== null);
  const complaints = complaintsOf(child);
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
    complaints,
    exited,
    kill,
    closeOutput: output.close,
    removeDirectory,
  };
}

function complaintsOf(child: ChildProcess): () => string {
  let complaints = '';
  child.once('error', (error) => {
    complaints += String(error);
  });
  // There is no stderr if the child could not be started because no descriptors were left.
  child.stderr?.on('data', (chunk: Buffer) => {
    complaints += chunk.toString('latin1').slice(0, Math.max(0, STDERR_BYTES_MAX - complaints.length));
  });
  return () => complaints;
}

/**
 * Linux divides processor time among sessions before it looks at the niceness of their processes, and every new session starts with
 * niceness 0 (sched(7), autogroups). A decoder has a session of its own, so a service that runs with a higher niceness would lose its
 * place behind other programs. The decoder's session therefore gets our niceness or that of our session, whichever is higher.
 */
export function keepNiceness(sessionLeaderPid: number, ownNice: number): void {
  try {
    // The file is empty for a process that was started before any session, as in some containers: its niceness is 0.
    const sessionNice = /nice (-?\d+)/.exec(readFileSync('/proc/self/autogroup', 'utf8'))?.[1] ?? 0;
    const nice = Math.max(Number(sessionNice), ownNice);
    if (nice > 0) writeFileSync(`/proc/${sessionLeaderPid}/autogroup`, String(nice));
  } catch {
    // The system has no autogroups, or the child has ended, or the machine has set another within a tenth of a second (only root may).
  }
}

let hasRemovedAbandoned = false;

/** Removes the directories left by processes that were killed while their child was starting. Once per process is enough. */
function removeAbandonedDirectories(): void {
  if (hasRemovedAbandoned) return;
  hasRemovedAbandoned = true;
  for (const name of readdirSync(os.tmpdir()).filter((found) => found.startsWith(DIRECTORY_PREFIX))) {
    const directory = path.join(os.tmpdir(), name);
    try {
      if (Date.now() - statSync(directory).mtimeMs <= ABANDONED_MS) continue;
      // A directory of ours holds nothing but the socket; with anything else in it, rmdir fails and the directory stays.
      rmSync(path.join(directory, SOCKET_NAME), { force: true });
      rmdirSync(directory);
    } catch {
      // Another process removed it first, or it belongs to another user.
    }
  }
}

/**
 * Kills the whole process group, so that nothing the child has started survives. Behind a launcher only the guard is killed: the decoder
 * dies with it, and the launcher reaps the guard and ends. If the launcher were killed too, the guard would be left to the first process
 * of the container, which may be a Node that reaps only its own children.
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

/** Kills a running child when this process exits. */
const killsOnExit = new Set<() => void>();
process.on('exit', () => {
  for (const kill of killsOnExit) kill();
});

/** Only on Linux: elsewhere, reading another process's memory use means starting a program. */
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
    if (decoderPid !== null && residentBytes(decoderPid) > bytesMax) onExceeded();
  }, MEMORY_POLL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** The launcher's child is the guard, whose child is the decoder. Null before it is started, and on a kernel that lists no children. */
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

function residentBytes(pid: number): number {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}
