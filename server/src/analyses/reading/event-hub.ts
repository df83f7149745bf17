import type { Database } from '../../platform/postgres.ts';
import { ANALYSIS_EVENTS_CHANNEL } from '../events.ts';

/**
 * Wakes those who wait for news of an analysis. One database connection listens for the whole process, and a waiter is
 * woken only for its own analysis, so a thousand open streams cost no queries while nothing happens.
 */
export type EventHub = {
  /** Resolves once notifications reach `wake`: what is read after that misses nothing. */
  subscribe(analysisId: string, wake: () => void): Promise<() => void>;
};

/** Opened at first use, closed with the database. */
export function createEventHub({ acrossTenants: db }: Pick<Database, 'acrossTenants'>): EventHub {
  const waiters = new Map<string, Set<() => void>>();
  let listening: Promise<unknown> | null = null;

  const onNotification = (analysisId: string | null) => {
    // Null: the connection was away and anything may have happened.
    const woken = analysisId === null ? [...waiters.values()] : [waiters.get(analysisId) ?? new Set()];
    for (const wakes of woken) for (const wake of wakes) wake();
  };

  return {
    async subscribe(analysisId, wake) {
      const wakes = waiters.get(analysisId) ?? new Set();
      waiters.set(analysisId, wakes.add(wake));
      const unsubscribe = () => {
        wakes.delete(wake);
        if (wakes.size === 0 && waiters.get(analysisId) === wakes) waiters.delete(analysisId);
      };
      try {
        listening ??= db.listen(ANALYSIS_EVENTS_CHANNEL, onNotification);
        await listening;
      } catch (error) {
        listening = null;
        unsubscribe();
        throw error;
      }
      return unsubscribe;
    },
  };
}
