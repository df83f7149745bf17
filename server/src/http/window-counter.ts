import type { Limit } from '../errors.ts';
import { startOfWindow } from './limits.ts';

export type WindowCounter = {
  /** How many were counted of the subject in the window that `now` lies in. */
  countOf(subject: string, now: Date): number;
  /** Counts one more, and answers with how many they are now. */
  add(subject: string, now: Date): number;
};

/** Counts within this process alone, which costs no query; of each window anew. */
export function createWindowCounter({ windowSeconds }: Pick<Limit, 'windowSeconds'>): WindowCounter {
  let windowStartMs: number | null = null;
  const counts = new Map<string, number>();
  const countOf = (subject: string, now: Date) => {
    const currentMs = startOfWindow(now, windowSeconds).getTime();
    if (currentMs !== windowStartMs) counts.clear();
    windowStartMs = currentMs;
    return counts.get(subject) ?? 0;
  };
  return {
    countOf,
    add(subject, now) {
      const count = countOf(subject, now) + 1;
      counts.set(subject, count);
      return count;
    },
  };
}
