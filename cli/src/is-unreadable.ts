import { EarshotError } from '@earshot/sdk';

/** Whether an upload failed because its file was changed, moved or locked in the meantime; other files are not affected. */
export function isUnreadable(error: unknown): boolean {
  return (
    error instanceof EarshotError &&
    error.cause instanceof DOMException &&
    error.cause.name === 'NotReadableError'
  );
}
