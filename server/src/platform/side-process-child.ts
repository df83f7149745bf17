/**
 * The other end of a side process. It ends when its parent does, and only then: a Ctrl-C in a terminal or a service manager
 * reaches every process, and one that drains still waits for its answers.
 */

import { exitNow } from './exit.ts';

const parentPid = process.ppid;

export function answerParent<Order, Answer>(
  answer: (order: Order, send: (answer: Answer) => void) => void | Promise<void>,
): void {
  process.on('SIGTERM', () => {}).on('SIGINT', () => {});
  process.on('disconnect', () => exitNow());
  // Sending fails when the parent is gone, which `disconnect` tells.
  const send = (message: Answer) => void process.send?.(message, undefined, undefined, () => {});
  process.on('message', (order: Order) => answer(order, send));
}

/** Long computing hears no event; it asks now and then. */
export function exitIfOrphaned(): void {
  if (process.ppid !== parentPid) exitNow();
}
