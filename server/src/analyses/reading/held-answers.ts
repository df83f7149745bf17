import type { Config } from '../../config.ts';
import { AppError } from '../../errors.ts';

/**
 * Answers of this process that are held open: event streams and long polls. Each costs memory, and is woken by events, for as
 * long as its client likes; so they are limited for a workspace and for the process.
 */
export type HeldAnswers = {
  /** Takes a place for an event stream, and answers with how to give it back. Throws 429 or 503 with a sentence. */
  holdStream(workspaceId: string): () => void;
  /** The same for a long poll; null when there is no place, and the answer has to be given at once. */
  holdPoll(workspaceId: string): (() => void) | null;
};

export function createHeldAnswers({ perWorkspaceMax, perProcessMax }: Config['heldAnswers']): HeldAnswers {
  const byWorkspace = new Map<string, number>();
  let inAll = 0;

  const countOf = (workspaceId: string) => byWorkspace.get(workspaceId) ?? 0;
  const take = (workspaceId: string) => {
    byWorkspace.set(workspaceId, countOf(workspaceId) + 1);
    inAll += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      inAll -= 1;
      const left = countOf(workspaceId) - 1;
      if (left === 0) byWorkspace.delete(workspaceId);
      else byWorkspace.set(workspaceId, left);
    };
  };

  return {
    holdStream(workspaceId) {
      if (countOf(workspaceId) >= perWorkspaceMax) {
        throw new AppError(
          'rate_limited',
          `A workspace may have ${perWorkspaceMax} event streams and long polls open at a time. Close one, or poll.`,
          { retryAfterSeconds: 5 },
        );
      }
      if (inAll >= perProcessMax) {
        throw new AppError(
          'overloaded',
          'Too many event streams are open right now. Poll, or try again soon.',
          { retryAfterSeconds: 15 },
        );
      }
      return take(workspaceId);
    },
    holdPoll: (workspaceId) =>
      countOf(workspaceId) >= perWorkspaceMax || inAll >= perProcessMax ? null : take(workspaceId),
  };
}
