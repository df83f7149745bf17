import type { Database } from './postgres.ts';

/**
 * Wakes subscribers when the database sends a notification with their id. One connection listens for the whole process and only the
 * subscribers of that id are woken, so a thousand idle event streams cost no queries.
 */
export type EventHub = {
  /** Resolves to an unsubscribe function once notifications reach `wake`: a caller that reads the state after that misses no change. */
  subscribe(id: string, wake: () => void): Promise<() => void>;
};

/** The channel's payloads are ids. Listening starts with the first subscription and ends when the database is closed. */
export function createEventHub(db: Pick<Database, 'listen'>, channel: string): EventHub {
  const waiters = new Map<string, Set<() => void>>();
  let listening: Promise<unknown> | null = null;

  const onNotification = (id: string | null) => {
    // Null: notifications may have been missed while the connection was lost.
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
