import type { IncomingMessage, ServerResponse } from 'node:http';

/** Calls `work` when the message closes, or at once if it already has. */
export function onceClosed(message: IncomingMessage | ServerResponse, work: () => void): void {
  if (message.destroyed) work();
  else message.once('close', work);
}
