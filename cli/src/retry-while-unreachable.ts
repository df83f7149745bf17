import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, ConnectionError } from '@earshot/sdk';

/** What a proxy answers while the service behind it restarts. A request that fails inside the service is a 500. */
const UNREACHABLE_STATUSES = new Set([502, 503, 504]);

/** Repeats `work` until it succeeds or fails for good. */
export type Retry = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * For commands that run for days: repeats `work` while the service cannot be reached. `notify` gets one sentence when that
 * begins and one when it is over. Any other error is thrown at once; when `signal` aborts the wait, an AbortError is.
 */
export async function retryWhileUnreachable<T>(
  work: () => Promise<T>,
  options: { signal: AbortSignal; waitMs: number; notify: (sentence: string) => void },
): Promise<T> {
  for (let isRetry = false; ; isRetry = true) {
    try {
      const result = await work();
      if (isRetry) options.notify('The service answers again.');
      return result;
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      if (!isRetry) {
        // The service's own messages end with a full stop; the SDK's do not.
        options.notify(`${error.message.replace(/\.?$/, '.')} Asking again until there is an answer.`);
      }
    }
    await delay(options.waitMs, undefined, { signal: options.signal });
  }
}

function isUnreachable(error: unknown): error is Error {
  return (
    error instanceof ConnectionError || (error instanceof ApiError && UNREACHABLE_STATUSES.has(error.status))
  );
}
