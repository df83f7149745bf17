import { leaveAtOnce } from './leave.ts';

/**
 * The other end of a side process. It goes when its parent does, and only then: a Ctrl-C in a terminal or a service manager
 * reaches every process, and one that drains still waits for its answers.
 */
const parentPid = process.ppid;

export function answerParent<Order, Answer>(
  answer: (order: Order, send: (answer: Answer) => void) => void | Promise<void>,
): void {
  process.on('SIGTERM', () => {}).on('SIGINT', () => {});
  process.on('disconnect', () => leaveAtOnce());
  const send = (message: Answer) => void process.send?.(message, undefined, undefined, () => {});
  process.on('message', async (order: Order) => answer(order, send));
}

/** Long computing hears no event; it asks now and then. */
export function leaveIfAlone(): void {
  if (process.ppid !== parentPid) leaveAtOnce();
}
