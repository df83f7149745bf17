import type { AccessWatch } from '../http/implement.ts';
import { createEventHub } from '../platform/event-hub.ts';
import type { Database } from '../platform/postgres.ts';

/**
 * Ends open requests (long polls, event streams, uploads) when access is revoked. Credentials are checked when a request arrives;
 * an open request checks them again whenever access to its workspace changes, whichever process makes the change.
 */

const CHANNEL = 'access_changes';
/** Pause before repeating a check that failed, so that a revocation takes effect within a second of the database's return. */
const RETRY_MS = 500;

export type AccessWatcher = {
  /**
   * Resolves once it listens for changes, and has checked once more: access may have changed since the request arrived. Rejects when that
   * check fails, so that nobody is taken for allowed who was not checked.
   */
  watch(workspaceId: string, isAllowed: () => Promise<boolean>): Promise<AccessWatch>;
};

export function createAccessWatcher(db: Database): AccessWatcher {
  const changes = createEventHub(db, CHANNEL);
  return {
    async watch(workspaceId, isAllowed) {
      const lost = new AbortController();
      let stopped = false;
      let retry: NodeJS.Timeout | null = null;
      const check = async () => {
        if (lost.signal.aborted) return;
        try {
          if (!(await isAllowed())) lost.abort();
        } catch {
          if (retry) clearTimeout(retry);
          if (!stopped) retry = setTimeout(check, RETRY_MS);
        }
      };
      const unsubscribe = await changes.subscribe(workspaceId, () => void check());
      const isLost = async () => {
        if (!lost.signal.aborted && !(await isAllowed())) lost.abort();
        return lost.signal.aborted;
      };
      const stop = () => {
        stopped = true;
        if (retry) clearTimeout(retry);
        unsubscribe();
      };
      await isLost().catch((error: unknown) => {
        stop();
        throw error;
      });
      return { lost: lost.signal, isLost, stop };
    },
  };
}
