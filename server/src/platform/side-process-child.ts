/**
 * The child's part of a side process. It ignores SIGTERM and SIGINT, which a terminal or a service manager sends to every process, because
 * a parent that drains still waits for answers. It ends when its parent does.
 */

import { exitNow } from './exit.ts';

const parentPid = process.ppid;

/** After the parent has ended, the time for an answer to kill its own children, which nobody else would. Chosen: that takes milliseconds. */
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
  // The error is ignored: sending fails only when the parent has ended, which `disconnect` reports.
  const send = (message: Answer) => void process.send?.(message, undefined, undefined, () => {});
  process.on('message', (order: Order) => {
    answered = answer(order, send, left.signal);
  });
}

/** For long computations, during which no event is handled: call it now and then. */
export function exitIfOrphaned(): void {
  if (process.ppid !== parentPid) exitNow();
}
