/**
 * How a process of ours ends. Not by `process.exit`: Node first waits there for its compiler threads, and one of them that is waiting for the
 * main thread to collect garbage waits for ever (nodejs/node#54918). An engine was met that had been ending so for an hour.
 */

/** What still holds on when all work is done is not waited for longer. */
const HOLDERS_MS_MAX = 2_000;

/** When nothing is left to do. */
export function exitWhenIdle(status: number): void {
  process.exitCode = status;
  setTimeout(() => exitNow(), HOLDERS_MS_MAX).unref();
}

/** Whatever is under way: what was promised is in the database. */
export function exitNow(signal: NodeJS.Signals = 'SIGKILL'): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
