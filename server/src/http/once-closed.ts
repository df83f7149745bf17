import type { IncomingMessage, ServerResponse } from 'node:http';

/** Calls `work` when the message closes, or at once when it has closed already and emits no event any more. */
export function onceClosed(message: IncomingMessage | ServerResponse, work: () => void): void {
  if (message.destroyed) work();
  else message.once('close', work);
}
