import type { AccessWatch } from '../http/implement.ts';
import { createEventHub } from '../platform/event-hub.ts';
import type { Database } from '../platform/postgres.ts';

/**
 * Open answers (long polls, event streams, uploads) against revocation. Credentials are checked when a request comes in;
 * one that stays open asks again whenever anything about the access to its workspace changes, in whichever process that
 * was done. While nothing changes it costs nothing.
 */

const CHANNEL = 'access_changes';
/** Asked again after this when the database could not say. Chosen: a revocation is then felt within a second. */
const RETRY_MS = 500;

export type AccessWatcher = {
  /** Resolves once changes are heard, after asking once: what happened between the first check and now counts. */
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
