import type { AccessWatch } from '../http/implement.ts';
import type { Database } from '../platform/postgres.ts';

/**
 * Open answers (long polls, event streams, uploads) against revocation. Credentials are checked when a request comes in;
 * one that stays open asks again whenever anything about the access to its workspace changes, in whichever process that
 * was done. While nothing changes it costs nothing.
 */

const CHANNEL = 'access_changes';
/** Asked again when the database could not say. */
const RETRY_MS = 500;

export type AccessWatcher = {
  /** Resolves once changes are heard, after asking once: what happened between the first check and now counts. */
  watch(workspaceId: string, isAllowed: () => Promise<boolean>): Promise<AccessWatch>;
};

export function createAccessWatcher(db: Database): AccessWatcher {
  const checks = new Map<string, Set<() => void>>();
  let listening: Promise<unknown> | null = null;

  const onChange = (workspaceId: string | null) => {
    // Null: the connection was away and anything may have happened.
    const concerned = workspaceId === null ? [...checks.values()] : [checks.get(workspaceId) ?? new Set()];
    for (const set of concerned) for (const check of set) check();
  };
  const heard = async () => {
    try {
      listening ??= db.listen(CHANNEL, onChange);
      await listening;
    } catch (error) {
      listening = null;
      throw error;
    }
  };

  return {
    async watch(workspaceId, isAllowed) {
      const lost = new AbortController();
      let retry: NodeJS.Timeout | null = null;
      const ask = async () => {
        if (lost.signal.aborted) return;
        try {
          if (!(await isAllowed())) lost.abort();
        } catch {
          retry ??= setTimeout(() => {
            retry = null;
            void ask();
          }, RETRY_MS);
        }
      };
      const check = () => void ask();
      const set = checks.get(workspaceId) ?? new Set();
      checks.set(workspaceId, set.add(check));
      const stop = () => {
        if (retry !== null) clearTimeout(retry);
        set.delete(check);
        if (set.size === 0 && checks.get(workspaceId) === set) checks.delete(workspaceId);
      };
      try {
        await heard();
      } catch (error) {
        stop();
        throw error;
      }
      await ask();
      const isLost = async () => {
        if (!lost.signal.aborted && !(await isAllowed())) lost.abort();
        return lost.signal.aborted;
      };
      return { lost: lost.signal, isLost, stop };
    },
  };
}
