import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVER_ROOT } from './server-root.ts';
import { LEAVING_MS_MAX } from './side-process-child.ts';

/**
 * A bundle of ours run beside this process, for computing that must not hold up a request, a heartbeat or a stop. Not a
 * worker thread: Node before 24 takes an isolate off its platform before V8 has stopped compiling for it, and aborts the
 * whole process when a compiler thread asks for more memory in between. Ending busy engine threads in a loop met that within
 * two minutes.
 */
export type SideProcess = ChildProcess;

export const pathOfBundle = (bundle: string) => join(SERVER_ROOT, 'dist', bundle);

export function startSideProcess(bundle: string): SideProcess {
  const child = fork(pathOfBundle(bundle), {
    // Structured clones: typed arrays travel as the bytes they are.
    serialization: 'advanced',
    execArgv: [],
    // No secret of ours is of use to it.
    env: { TMPDIR: tmpdir() },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  // Whoever waits for it hears of its failure; one that comes when nobody waits any more must not end us.
  return child.on('error', () => {});
}

/** A process that is gone is noticed by its exit; what is sent to it meanwhile is lost with it. */
export function sendTo(child: SideProcess, message: object): void {
  if (child.connected) child.send(message, () => {});
}

/** Whether waiting for it keeps this process alive. */
export function holdOpen(child: SideProcess, isHeld: boolean): void {
  if (isHeld) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}

/** Leaves it, upon which it ends itself and its children; one that computes does not hear that, and has no children. */
export async function endSideProcess(child: SideProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), child.connected ? 2 * LEAVING_MS_MAX : 0);
  if (child.connected) child.disconnect();
  await gone;
  clearTimeout(timer);
}
