import type { MemberContext } from '../../context.ts';
import { AppError } from '../../errors.ts';

/**
 * Answers that stay open, of this process: each costs memory and a place among those who are woken, for as long as its client
 * likes. So a workspace has a share of them, and the process an end.
 */

const byWorkspace = new Map<string, number>();
let inAll = 0;

/** Takes a place for an event stream; `release` gives it back. Throws 429 or 503 with a sentence. */
export function holdStream(ctx: MemberContext): () => void {
  const { perWorkspaceMax, perProcessMax } = ctx.config.heldAnswers;
  if (countOf(ctx) >= perWorkspaceMax) {
    throw new AppError(
      'rate_limited',
      `A workspace may have ${perWorkspaceMax} event streams and long polls open at a time. Close one, or poll.`,
      { headers: { 'Retry-After': '5' } },
    );
  }
  if (inAll >= perProcessMax) {
    throw new AppError('overloaded', 'Too many event streams are open right now. Poll, or try again soon.', {
      headers: { 'Retry-After': '15' },
    });
  }
  return take(ctx);
}

/** The same for a long poll; null when there is no place, and the answer has to be given at once. */
export function holdPoll(ctx: MemberContext): (() => void) | null {
  const { perWorkspaceMax, perProcessMax } = ctx.config.heldAnswers;
  return countOf(ctx) >= perWorkspaceMax || inAll >= perProcessMax ? null : take(ctx);
}

function countOf({ actor }: MemberContext): number {
  return byWorkspace.get(actor.workspaceId) ?? 0;
}

function take(ctx: MemberContext): () => void {
  const { workspaceId } = ctx.actor;
  byWorkspace.set(workspaceId, countOf(ctx) + 1);
  inAll += 1;
  let held = true;
  return () => {
    if (!held) return;
    held = false;
    inAll -= 1;
    const left = countOf(ctx) - 1;
    if (left === 0) byWorkspace.delete(workspaceId);
    else byWorkspace.set(workspaceId, left);
  };
}
