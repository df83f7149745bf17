import type { ServerResponse } from 'node:http';

/** A response says only once that it has closed: whoever comes after that is called at once. */
export function onceClosed(response: ServerResponse, work: () => void): void {
  if (response.destroyed) work();
  else response.once('close', work);
}
