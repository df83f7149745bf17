import type { MemberContext } from '../../context.ts';
import type { Raw } from '../../http/implement.ts';
import { getAnalysisOfWorkspace } from '../analyses.ts';
import type { Analysis } from '../analysis.ts';
import { waitForEnd, waitSecondsOf } from './wait-for-end.ts';

/** Sent with every answer that is not the last. */
export const POLL_AGAIN = { 'Retry-After': '2' };

/** The analysis, at once or, with `Prefer: wait=30`, when it has ended. */
export async function readWithWait(
  ctx: MemberContext,
  id: string,
  prefer: string | undefined,
  raw: Raw,
): Promise<{ analysis: Analysis; answerHeaders: Record<string, string> }> {
  const waitSeconds = waitSecondsOf(prefer);
  const read = () => getAnalysisOfWorkspace(ctx, id);
  const analysis = await waitForEnd(ctx, read, { waitSeconds, signal: closedSignal(raw) });
  return { analysis, answerHeaders: waitSeconds > 0 ? { 'Preference-Applied': `wait=${waitSeconds}` } : {} };
}

/** Aborts when the client is gone. */
export function closedSignal(raw: Raw): AbortSignal {
  const closed = new AbortController();
  raw.reply.raw.once('close', () => closed.abort());
  return closed.signal;
}
