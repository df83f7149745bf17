import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, ConnectionError } from '@earshot/sdk';

/** What a proxy says for a service that is being started anew; of a single request that fails, the service says 500. */
const AWAY_STATUSES = new Set([502, 503, 504]);

export type Patience = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * For commands that run for days: work that meets no service is repeated until there is one again. `tell` hears once that it is away and
 * once that it is back. Throws what is no matter of time, and an AbortError when `signal` ends the waiting.
 */
export function createPatience(options: {
  signal: AbortSignal;
  waitMs: number;
  tell: (sentence: string) => void;
}): Patience {
  return async (work) => {
    for (let isAway = false; ; isAway = true) {
      try {
        const done = await work();
        if (isAway) options.tell('The service answers again.');
        return done;
      } catch (error) {
        if (!isServiceAway(error)) throw error;
        if (!isAway) options.tell(`${error.message}. Asking again until there is an answer.`);
      }
      await delay(options.waitMs, undefined, { signal: options.signal });
    }
  };
}

function isServiceAway(error: unknown): error is Error {
  return error instanceof ConnectionError || (error instanceof ApiError && AWAY_STATUSES.has(error.status));
}
