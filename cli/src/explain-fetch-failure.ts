/**
 * Why `fetch` failed: its own message is only "fetch failed". Its cause has a code and no message if a host has several addresses, such as
 * localhost, and each of them failed.
 */
export function explainFetchFailure({ message, cause }: Error): string {
  const { message: reason, code } = (cause ?? {}) as NodeJS.ErrnoException;
  return reason || code || message;
}
