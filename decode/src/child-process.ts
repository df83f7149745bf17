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

/** A choice: the stack of one failure, for the log. */
const STDERR_BYTES_MAX = 4_096;
/** A choice: what is used for a shorter time harms nobody, and the kernel's own limit stands behind it. */
const MEMORY_POLL_MS = 100;
const DIRECTORY_PREFIX = 'earshot-decode-';
/** A choice: a child has loaded its code, and its directory is gone, long before. */
const ABANDONED_MS = 60_000;

export type SandboxedChild = {
  process: ChildProcess;
  /** Those it must find standing, which it says in its first message. */
  walls: SandboxWall[];
  /** What it writes to its standard output. */
  messages: MessageReader;
  /** The first bytes of its standard error, or why it could not be started; a flood is read and thrown away. */
  complaints(): string;
  /** Resolves when the process is gone. */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  kill(): void;
  /** Reads no more of its output. */
  closeOutput(): void;
  /** Its directory goes when it ends; earlier when it has loaded its code, so that our own death leaves none behind. */
  removeDirectory(): void;
};

/** The bundled child, beside this package wherever the caller was bundled to. */
export function childEntry(): string {
  const require = createRequire(import.meta.url);
  // The real path: workspaces are linked, and the child may read only what it is told by name.
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
    // The system has no memory for a process, say.
    output.close();
    removeDirectory();
    throw error;
  }
  if (child.pid !== undefined) keepWeight(child.pid, os.getPriority());

  const kill = () => killChild(child, sandbox.launcher !== null);
  const complaints = complaintsOf(child);
  const stopWatching = watchMemory(child, sandbox.launcher !== null, limits.memoryBytesMax, onMemoryExceeded);
  endings.add(kill);
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    const end = (code: number | null, signal: NodeJS.Signals | null) => {
      stopWatching();
      endings.delete(kill);
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
  // None of a child that could not be started for want of descriptors.
  child.stderr?.on('data', (chunk: Buffer) => {
    complaints += chunk.toString('latin1').slice(0, Math.max(0, STDERR_BYTES_MAX - complaints.length));
  });
  return () => complaints;
}

/**
 * Linux shares processors among sessions before it looks at what is in them, and a new one has the usual weight (sched(7), autogroups): a
 * decoder would take as much as all the service that has put it behind others. It gets the niceness of our session, or ours.
 */
export function keepWeight(sessionLeader: number, ownNice: number): void {
  try {
    // Nothing is written there of what was started before any session was, as in some containers: it has the usual weight.
    const sessionNice = /nice (-?\d+)/.exec(readFileSync('/proc/self/autogroup', 'utf8'))?.[1] ?? 0;
    const nice = Math.max(Number(sessionNice), ownNice);
    if (nice > 0) writeFileSync(`/proc/${sessionLeader}/autogroup`, String(nice));
  } catch {
    // Not Linux, or one without autogroups; or it has ended, or another was set within a tenth of a second, which only root may.
  }
}

let lookedForAbandoned = false;

/** What a process that was killed while its child started has left; once per process is often enough. */
function removeAbandonedDirectories(): void {
  if (lookedForAbandoned) return;
  lookedForAbandoned = true;
  for (const name of readdirSync(os.tmpdir()).filter((found) => found.startsWith(DIRECTORY_PREFIX))) {
    const directory = path.join(os.tmpdir(), name);
    try {
      if (Date.now() - statSync(directory).mtimeMs <= ABANDONED_MS) continue;
      // Nothing else is ever in one, and nothing else is removed.
      rmSync(path.join(directory, SOCKET_NAME), { force: true });
      rmdirSync(directory);
    } catch {
      // Another process was faster, or it belongs to another user.
    }
  }
}

/**
 * The group, so that nothing it may have started survives it. Of a launched one the guard, whose end is that of all behind it, and which
 * the launcher then collects: otherwise the first process of a container has to, which may be a Node that collects only its own.
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

const endings = new Set<() => void>();
process.on('exit', () => {
  for (const kill of endings) kill();
});

/** Only Linux tells us another process's memory without starting a program. */
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

/** The launcher's child is the guard, and the guard's is the decoder; null before it is there, and on a kernel that does not tell. */
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
