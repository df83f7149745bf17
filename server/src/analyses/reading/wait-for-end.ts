import { startDeadline } from '@earshot/sdk';
import type { Context } from '../../context.ts';
import { type Analysis, hasEnded } from '../analysis.ts';
import { createBell } from './bell.ts';

const WAIT_SECONDS_MAX = 30;

/** Seconds of `Prefer: wait=30` (RFC 7240), as far as we hold an answer back; null for who does not want to wait. */
export function waitSecondsOf(prefer: string | undefined): number | null {
  const seconds = /(?:^|[,;\s])wait\s*=\s*"?0*([1-9]\d{0,5})/i.exec(prefer ?? '')?.[1];
  return seconds === undefined ? null : Math.min(Number(seconds), WAIT_SECONDS_MAX);
}

/** The analysis as soon as it has ended, or as it is when the time is over or nobody waits any more. */
export async function waitForEnd(
  ctx: Context,
  read: () => Promise<Analysis>,
  options: { waitSeconds: number; signal: AbortSignal },
): Promise<Analysis> {
  const analysis = await read();
  if (hasEnded(analysis)) return analysis;
  const deadline = startDeadline(options.waitSeconds * 1000, options.signal);
  const over = deadline.signal;
  const bell = createBell();
  over.addEventListener('abort', bell.ring, { once: true });
  ctx.stopping.addEventListener('abort', bell.ring);
  let unsubscribe = () => {};
  try {
    unsubscribe = await ctx.analysisEvents.subscribe(analysis.id, bell.ring);
    for (;;) {
      const current = await read();
      if (hasEnded(current) || over.aborted || ctx.stopping.aborted) return current;
      await bell.heard();
    }
  } finally {
    deadline.clear();
    ctx.stopping.removeEventListener('abort', bell.ring);
    unsubscribe();
  }
}
