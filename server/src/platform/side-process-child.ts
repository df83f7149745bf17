import { exitNow } from './exit.ts';

const parentPid = process.ppid;

/** How long the current answer may take to kill its own child processes after the parent has ended, which takes milliseconds. */
export const ORPHAN_MS_MAX = 500;

/**
 * The child's half of a side process: answers the parent's orders and exits when the parent does. It ignores SIGTERM and SIGINT, which a
 * terminal or a service manager sends to every process, because a parent that is shutting down still waits for answers.
 */
export function answerParent<Order, Answer>(
  answer: (order: Order, send: (answer: Answer) => void, left: AbortSignal) => void | Promise<void>,
): void {
  const left = new AbortController();
  let answered: void | Promise<void>;
  process.on('SIGTERM', () => {}).on('SIGINT', () => {});
  process.on('disconnect', async () => {
    setTimeout(exitNow, ORPHAN_MS_MAX);
    left.abort();
    await answered;
    exitNow();
  });
  // Ignores the error: sending fails only when the parent has ended, which `disconnect` reports.
  const send = (message: Answer) => void process.send?.(message, undefined, undefined, () => {});
  process.on('message', (order: Order) => {
    answered = answer(order, send, left.signal);
  });
}

/** To be called now and then in a long computation, during which `disconnect` cannot be handled. */
export function exitIfOrphaned(): void {
  if (process.ppid !== parentPid) exitNow();
}
