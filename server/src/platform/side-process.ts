import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVER_ROOT } from './server-root.ts';
import { ORPHAN_MS_MAX } from './side-process-child.ts';

/**
 * One of our bundles in a separate process, for computations that must not delay a request, a heartbeat or a shutdown. Not a worker
 * thread: Node before 24 unregisters an isolate while V8 still compiles for it, and aborts the process when the compiler thread then
 * allocates memory, which terminating busy engine threads in a loop triggers.
 */
export type SideProcess = ChildProcess;

export const pathOfBundle = (bundle: string) => join(SERVER_ROOT, 'dist', bundle);

export function startSideProcess(bundle: string): SideProcess {
  const child = fork(pathOfBundle(bundle), {
    // Structured clone, which preserves typed arrays.
    serialization: 'advanced',
    execArgv: [],
    // Keeps the environment's secrets out of it.
    env: { TMPDIR: tmpdir() },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  // Without a handler, an error after the caller has stopped listening would end this process.
  return child.on('error', () => {});
}

/** Ignores errors: callers learn of the child's end from its exit event. */
export function sendTo(child: SideProcess, message: object): void {
  if (child.connected) child.send(message, () => {});
}

/** Sets whether the child keeps this process from exiting. */
export function holdOpen(child: SideProcess, isHeld: boolean): void {
  if (isHeld) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}

/** Disconnects, so that the child ends itself and its own children. A child that does not, because it is computing, is killed. */
export async function endSideProcess(child: SideProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), child.connected ? 2 * ORPHAN_MS_MAX : 0);
  if (child.connected) child.disconnect();
  await gone;
  clearTimeout(timer);
}
