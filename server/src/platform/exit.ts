/**
 * Ends a process without `process.exit`, which can deadlock: it waits for V8's compiler threads, one of which may be waiting for the
 * main thread to collect garbage (nodejs/node#54918).
 */

/** How long handles that are still open after all work is done, such as idle sockets, may keep the process alive. */
const OPEN_HANDLES_MS_MAX = 2_000;

/** Ends the process with this status once the event loop is empty, or kills it after OPEN_HANDLES_MS_MAX. */
export function exitWhenIdle(status: number): void {
  process.exitCode = status;
  setTimeout(() => exitNow(), OPEN_HANDLES_MS_MAX).unref();
}

/** Ends the process at once, which is safe: everything the service has promised is committed to the database. */
export function exitNow(signal: NodeJS.Signals = 'SIGKILL'): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
