import type { Database } from './postgres.ts';

/**
 * Wakes those who wait for news of one thing: an analysis, a workspace. One database connection listens for the whole process, and a
 * waiter is woken only for its own, so a thousand open streams cost no queries while nothing happens.
 */
export type EventHub = {
  /** Resolves once notifications reach `wake`: what is read after that misses nothing. */
  subscribe(id: string, wake: () => void): Promise<() => void>;
};

/** Of a channel whose payloads are ids. Opened at first use, closed with the database. */
export function createEventHub(db: Pick<Database, 'listen'>, channel: string): EventHub {
  const waiters = new Map<string, Set<() => void>>();
  let listening: Promise<unknown> | null = null;

  const onNotification = (id: string | null) => {
    // Null: the connection was away and anything may have happened.
    const woken = id === null ? [...waiters.values()] : [waiters.get(id) ?? new Set()];
    for (const wakes of woken) for (const wake of wakes) wake();
  };
  const listen = async () => {
    try {
      await db.listen(channel, onNotification);
    } catch (error) {
      listening = null;
      throw error;
    }
  };

  return {
    async subscribe(id, wake) {
      const wakes = waiters.get(id) ?? new Set();
      waiters.set(id, wakes.add(wake));
      const unsubscribe = () => {
        wakes.delete(wake);
        if (wakes.size === 0 && waiters.get(id) === wakes) waiters.delete(id);
      };
      try {
        listening ??= listen();
        await listening;
      } catch (error) {
        unsubscribe();
        throw error;
      }
      return unsubscribe;
    },
  };
}
