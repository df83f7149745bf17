import type { Limit } from '../errors.ts';
import { startOfWindow } from './rate-limits.ts';

/** Counts per time window, within this process alone, so that counting costs no query. */
export function createWindowCounter({ windowSeconds }: Pick<Limit, 'windowSeconds'>) {
  let windowStartMs: number | null = null;
  const counts = new Map<string, number>();
  /** The subject's count in the window that contains `now`. */
  const countOf = (subject: string, now: Date): number => {
    const currentMs = startOfWindow(now, windowSeconds).getTime();
    if (currentMs !== windowStartMs) counts.clear();
    windowStartMs = currentMs;
    return counts.get(subject) ?? 0;
  };
  return {
    countOf,
    /** Adds one and returns the new count. */
    add(subject: string, now: Date): number {
      const count = countOf(subject, now) + 1;
      counts.set(subject, count);
      return count;
    },
  };
}
