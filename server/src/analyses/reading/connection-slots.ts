import type { Config } from '../../config.ts';
import { AppError } from '../../errors.ts';

/** Guesses: a workspace can close a stream of its own at once, while a process waits for others to. */
const WORKSPACE_RETRY_SECONDS = 5;
const PROCESS_RETRY_SECONDS = 15;

/**
 * Limits the responses that this process holds open, event streams and long polls, per workspace and in total: each costs
 * memory and wake-ups for as long as its client likes.
 */
export type ConnectionSlots = {
  /** Reserves a slot for an event stream and returns a function that releases it. Throws 429 or 503 when none is free. */
  reserveForStream(workspaceId: string): () => void;
  /** The same for a long poll. Null when no slot is free: the response is then sent at once. */
  reserveForPoll(workspaceId: string): (() => void) | null;
};

export function createConnectionSlots({
  perWorkspaceMax,
  perProcessMax,
}: Config['connectionSlots']): ConnectionSlots {
  const countByWorkspace = new Map<string, number>();
  let totalCount = 0;

  const countOf = (workspaceId: string) => countByWorkspace.get(workspaceId) ?? 0;
  const reserve = (workspaceId: string) => {
    countByWorkspace.set(workspaceId, countOf(workspaceId) + 1);
    totalCount += 1;
    let isReserved = true;
    return () => {
      if (!isReserved) return;
      isReserved = false;
      totalCount -= 1;
      const remainingCount = countOf(workspaceId) - 1;
      if (remainingCount === 0) countByWorkspace.delete(workspaceId);
      else countByWorkspace.set(workspaceId, remainingCount);
    };
  };

  return {
    reserveForStream(workspaceId) {
      if (countOf(workspaceId) >= perWorkspaceMax) {
        throw new AppError(
          'rate_limited',
          `A workspace may have ${perWorkspaceMax} event streams and long polls open at a time. Close one, or poll.`,
          { retryAfterSeconds: WORKSPACE_RETRY_SECONDS },
        );
      }
      if (totalCount >= perProcessMax) {
        throw new AppError(
          'overloaded',
          'Too many event streams are open right now. Poll, or try again soon.',
          { retryAfterSeconds: PROCESS_RETRY_SECONDS },
        );
      }
      return reserve(workspaceId);
    },
    reserveForPoll: (workspaceId) =>
      countOf(workspaceId) >= perWorkspaceMax || totalCount >= perProcessMax ? null : reserve(workspaceId),
  };
}
