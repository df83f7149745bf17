import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVER_ROOT } from './server-root.ts';
import { LEAVING_MS_MAX } from './side-process-child.ts';

/**
 * A bundle of ours in a process of its own, for computations that must not delay a request, a heartbeat or a stop. Not a worker thread:
 * Node before 24 unregisters an isolate before V8 has stopped compiling for it, and aborts the whole process when a compiler thread then
 * asks for memory. Ending busy engine threads in a loop did that within two minutes.
 */
export type SideProcess = ChildProcess;

export const pathOfBundle = (bundle: string) => join(SERVER_ROOT, 'dist', bundle);

export function startSideProcess(bundle: string): SideProcess {
  const child = fork(pathOfBundle(bundle), {
    // Structured clones, which keep typed arrays.
    serialization: 'advanced',
    execArgv: [],
    // It needs none of our secrets.
    env: { TMPDIR: tmpdir() },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  // Without a handler, an error that nobody waits for any more would end this process.
  return child.on('error', () => {});
}

/** Errors are ignored: callers notice the end of the process by its exit event. */
export function sendTo(child: SideProcess, message: object): void {
  if (child.connected) child.send(message, () => {});
}

/** Sets whether the child keeps this process alive. */
export function holdOpen(child: SideProcess, isHeld: boolean): void {
  if (isHeld) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}

/** Disconnects, so that the child ends itself and its children. A child that is busy computing, and so has no children, is killed. */
export async function endSideProcess(child: SideProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), child.connected ? 2 * LEAVING_MS_MAX : 0);
  if (child.connected) child.disconnect();
  await gone;
  clearTimeout(timer);
}
