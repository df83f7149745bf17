import type { Limit } from '../errors.ts';
import { startOfWindow, tooMany } from '../http/limits.ts';
import { sha256Hex } from '../platform/crypto.ts';

const WINDOW_SECONDS = 60;
/** A credential that was good this long ago is looked up whatever else its address sends. */
const REMEMBERED_MS = 15 * 60_000;
const REMEMBERED_MAX = 10_000;

/** Bad tokens and keys of one address, counted in this process as the request meter counts. */
export type FailedCredentials = {
  /**
   * Throws 429, before anything is looked up, when the address brought too many bad ones this minute. Credentials that were
   * good a while ago pass: one guesser must not lock out the office they sit in.
   */
  assertFew(subject: string, credential: string, now: Date): void;
  noteBad(subject: string, now: Date): void;
  noteGood(credential: string, now: Date): void;
};

export function createFailedCredentials(perMinute: number): FailedCredentials {
  const limit: Limit = { name: 'failed-credentials', count: perMinute, windowSeconds: WINDOW_SECONDS };
  let windowStart = new Date(0);
  let failures = new Map<string, number>();
  /** Hash to the time it was last good, oldest first. */
  const good = new Map<string, number>();

  const countOf = (subject: string, now: Date): number => {
    const current = startOfWindow(now, WINDOW_SECONDS);
    if (current.getTime() !== windowStart.getTime()) {
      windowStart = current;
      failures = new Map();
    }
    return failures.get(subject) ?? 0;
  };

  return {
    assertFew(subject, credential, now) {
      if (countOf(subject, now) < limit.count) return;
      const lastGoodMs = good.get(sha256Hex(credential)) ?? Number.NEGATIVE_INFINITY;
      if (now.getTime() - lastGoodMs < REMEMBERED_MS) return;
      throw tooMany(
        limit,
        windowStart,
        now,
        'Too many unknown keys or tokens came from this address. Wait as long as Retry-After says.',
      );
    },
    noteBad(subject, now) {
      failures.set(subject, countOf(subject, now) + 1);
    },
    noteGood(credential, now) {
      const hash = sha256Hex(credential);
      good.delete(hash);
      good.set(hash, now.getTime());
      if (good.size <= REMEMBERED_MAX) return;
      const [oldest] = good.keys();
      if (oldest !== undefined) good.delete(oldest);
    },
  };
}
