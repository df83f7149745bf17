import type { MemberContext } from '../../context.ts';
import { accessEnded } from '../../errors.ts';
import type { AccessWatch, Raw } from '../../http/implement.ts';
import { onceClosed } from '../../http/once-closed.ts';
import { getAnalysisOfWorkspace } from '../analyses.ts';
import type { Analysis } from '../analysis.ts';
import { waitForEnd, waitSecondsOf } from './wait-for-end.ts';

/** Reads the analysis; with `Prefer: wait=30`, once it has ended or that time is over. Does not wait when too many connections do. */
export async function readWithWait(
  ctx: MemberContext,
  id: string,
  prefer: string | undefined,
  raw: Raw,
): Promise<{ analysis: Analysis; answerHeaders: Record<string, string> }> {
  const waitSeconds = waitSecondsOf(prefer);
  const read = () => getAnalysisOfWorkspace(ctx, id);
  const release = waitSeconds === null ? null : ctx.connectionSlots.reserveForPoll(ctx.actor.workspaceId);
  if (waitSeconds === null || release === null) return { analysis: await read(), answerHeaders: {} };
  const access = await raw.watchAccess().catch((error: unknown) => {
    release();
    throw error;
  });
  try {
    const signal = endSignal(raw, access);
    const analysis = await waitForEnd(ctx, read, { waitSeconds, signal });
    // A client that lost access while waiting gets what a new request would get.
    if (await access.isLost()) throw accessEnded();
    return { analysis, answerHeaders: { 'Preference-Applied': `wait=${waitSeconds}` } };
  } finally {
    access.stop();
    release();
  }
}

/** Aborts when the client disconnects or loses access. */
function endSignal(raw: Raw, access: AccessWatch): AbortSignal {
  const end = new AbortController();
  onceClosed(raw.reply.raw, () => end.abort());
  access.lost.addEventListener('abort', () => end.abort(), { once: true });
  if (access.lost.aborted) end.abort();
  return end.signal;
}
