import { EarshotError } from '@earshot/sdk';

/** Whether a file could not be sent because it was written to, moved or locked meanwhile; the others can. */
export function isUnreadable(error: unknown): boolean {
  return (
    error instanceof EarshotError &&
    error.cause instanceof DOMException &&
    error.cause.name === 'NotReadableError'
  );
}
