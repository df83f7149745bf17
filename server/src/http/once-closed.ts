import type { IncomingMessage, ServerResponse } from 'node:http';

/** A message says only once that it has closed: whoever comes after that is called at once. */
export function onceClosed(message: IncomingMessage | ServerResponse, work: () => void): void {
  if (message.destroyed) work();
  else message.once('close', work);
}
