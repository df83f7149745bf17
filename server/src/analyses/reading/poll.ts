import type { MemberContext } from '../../context.ts';
import { accessEnded } from '../../errors.ts';
import type { AccessWatch, Raw } from '../../http/implement.ts';
import { onceClosed } from '../../http/once-closed.ts';
import { getAnalysisOfWorkspace } from '../analyses.ts';
import type { Analysis } from '../analysis.ts';
import { waitForEnd, waitSecondsOf } from './wait-for-end.ts';

/** The analysis as it is; with `Prefer: wait=30`, when it has ended or that time is over. At once when too many answers are held already. */
export async function readWithWait(
  ctx: MemberContext,
  id: string,
  prefer: string | undefined,
  raw: Raw,
): Promise<{ analysis: Analysis; answerHeaders: Record<string, string> }> {
  const waitSeconds = waitSecondsOf(prefer);
  const read = () => getAnalysisOfWorkspace(ctx, id);
  const release = waitSeconds === null ? null : ctx.heldAnswers.holdPoll(ctx.actor.workspaceId);
  if (waitSeconds === null || release === null) return { analysis: await read(), answerHeaders: {} };
  const access = await raw.watchAccess().catch((error: unknown) => {
    release();
    throw error;
  });
  try {
    const signal = endSignal(raw, access);
    const analysis = await waitForEnd(ctx, read, { waitSeconds, signal });
    // Whoever lost the right while waiting learns no more than if they asked now.
    if (await access.isLost()) throw accessEnded();
    return { analysis, answerHeaders: { 'Preference-Applied': `wait=${waitSeconds}` } };
  } finally {
    access.stop();
    release();
  }
}

/** Aborts when the client is gone, or may not have the answer any more. */
function endSignal(raw: Raw, access: AccessWatch): AbortSignal {
  const end = new AbortController();
  onceClosed(raw.reply.raw, () => end.abort());
  access.lost.addEventListener('abort', () => end.abort(), { once: true });
  if (access.lost.aborted) end.abort();
  return end.signal;
}
