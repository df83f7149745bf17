/**
 * Ends a process without `process.exit`, which can deadlock: Node waits there for its compiler threads, and one of these may be waiting
 * for the main thread to collect garbage (nodejs/node#54918). We have seen an engine hang in its exit for an hour.
 */

/** Chosen: handles that are still open when all work is done keep the process alive no longer than this. */
const OPEN_HANDLES_MS_MAX = 2_000;

/** Ends the process when nothing is left to do, with this status, or after two seconds by a signal. */
export function exitWhenIdle(status: number): void {
  process.exitCode = status;
  setTimeout(() => exitNow(), OPEN_HANDLES_MS_MAX).unref();
}

/** Ends the process at once. That is safe: everything the service has promised is committed to the database. */
export function exitNow(signal: NodeJS.Signals = 'SIGKILL'): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
