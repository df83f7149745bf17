/**
 * The other end of a side process. It ends when its parent does, and only then: a Ctrl-C in a terminal or a service manager
 * reaches every process, and one that drains still waits for its answers.
 */

import { exitNow } from './exit.ts';

const parentPid = process.ppid;

/** In this time an answer ends its own children once the parent has left; in a container nobody else would. Chosen: killing them takes milliseconds. */
export const LEAVING_MS_MAX = 500;

export function answerParent<Order, Answer>(
  answer: (order: Order, send: (answer: Answer) => void, left: AbortSignal) => void | Promise<void>,
): void {
  const left = new AbortController();
  let answered: void | Promise<void>;
  process.on('SIGTERM', () => {}).on('SIGINT', () => {});
  process.on('disconnect', async () => {
    setTimeout(exitNow, LEAVING_MS_MAX);
    left.abort();
    await answered;
    exitNow();
  });
  // Sending fails when the parent is gone, which `disconnect` tells.
  const send = (message: Answer) => void process.send?.(message, undefined, undefined, () => {});
  process.on('message', (order: Order) => {
    answered = answer(order, send, left.signal);
  });
}

/** Long computing hears no event; it asks now and then. */
export function exitIfOrphaned(): void {
  if (process.ppid !== parentPid) exitNow();
}
