import type { AccessWatch } from '../http/implement.ts';
import { createEventHub } from '../platform/event-hub.ts';
import type { Database } from '../platform/postgres.ts';

/**
 * Ends open requests (long polls, event streams, uploads) when access is revoked. Credentials are checked when a request comes
 * in; an open request checks again whenever the access to its workspace changes, in whichever process that happens.
 */

const CHANNEL = 'access_changes';
/** Chosen: a check that the database failed to answer is repeated, and a revocation takes effect within a second after it is back. */
const RETRY_MS = 500;

export type AccessWatcher = {
  /** Resolves once it listens for changes, after one more check: access may have changed since the request came in. */
  watch(workspaceId: string, isAllowed: () => Promise<boolean>): Promise<AccessWatch>;
};

export function createAccessWatcher(db: Database): AccessWatcher {
  const changes = createEventHub(db, CHANNEL);
  return {
    async watch(workspaceId, isAllowed) {
      const lost = new AbortController();
      let stopped = false;
      let retry: NodeJS.Timeout | undefined;
      const ask = async () => {
        if (stopped || lost.signal.aborted) return;
        try {
          if (!(await isAllowed())) lost.abort();
        } catch {
          clearTimeout(retry);
          if (!stopped) retry = setTimeout(ask, RETRY_MS);
        }
      };
      const unsubscribe = await changes.subscribe(workspaceId, () => void ask());
      await ask();
      const isLost = async () => {
        if (!lost.signal.aborted && !(await isAllowed())) lost.abort();
        return lost.signal.aborted;
      };
      const stop = () => {
        stopped = true;
        clearTimeout(retry);
        unsubscribe();
      };
      return { lost: lost.signal, isLost, stop };
    },
  };
}
