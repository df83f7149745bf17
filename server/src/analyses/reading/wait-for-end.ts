import { startDeadline } from '@earshot/sdk';
import type { Context } from '../../context.ts';
import { type Analysis, hasEnded } from '../analysis.ts';
import { createAutoResetEvent } from './auto-reset-event.ts';

/** Promised by the contract; proxies commonly cut a request off after 60 s. */
const WAIT_SECONDS_MAX = 30;

/** The seconds of `Prefer: wait=30` (RFC 7240), up to the maximum; null without a valid preference. */
export function waitSecondsOf(prefer: string | undefined): number | null {
  const seconds = /(?:^|[,;\s])wait\s*=\s*"?0*([1-9]\d{0,5})/i.exec(prefer ?? '')?.[1];
  return seconds === undefined ? null : Math.min(Number(seconds), WAIT_SECONDS_MAX);
}

/** Resolves when the analysis has ended, the time is over, the signal aborts or the process stops. */
export async function waitForEnd(
  ctx: Context,
  read: () => Promise<Analysis>,
  options: { waitSeconds: number; signal: AbortSignal },
): Promise<Analysis> {
  const analysis = await read();
  if (hasEnded(analysis)) return analysis;
  const deadline = startDeadline(options.waitSeconds * 1000, options.signal);
  const over = deadline.signal;
  const wakeUp = createAutoResetEvent();
  over.addEventListener('abort', wakeUp.set, { once: true });
  ctx.stopping.addEventListener('abort', wakeUp.set);
  let unsubscribe = () => {};
  try {
    unsubscribe = await ctx.analysisEvents.subscribe(analysis.id, wakeUp.set);
    for (;;) {
      const current = await read();
      if (hasEnded(current) || over.aborted || ctx.stopping.aborted) return current;
      await wakeUp.wait();
    }
  } finally {
    deadline.clear();
    ctx.stopping.removeEventListener('abort', wakeUp.set);
    unsubscribe();
  }
}
