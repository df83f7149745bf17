import type { Limit } from '../errors.ts';
import { startOfWindow, tooMany } from '../http/limits.ts';
import { createWindowCounter } from '../http/window-counter.ts';
import { sha256Hex } from '../platform/crypto.ts';

/** A credential that was good within this time is looked up whatever else its address sends. Chosen: longer than most programs are silent. */
const REMEMBERED_MS = 15 * 60_000;
/** Chosen: a megabyte or two. */
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
  const limit: Limit = { name: 'failed-credentials', count: perMinute, windowSeconds: 60 };
  const failures = createWindowCounter(limit);
  /** Hash to the time it was last good, oldest first. */
  const good = new Map<string, number>();

  return {
    assertFew(subject, credential, now) {
      if (failures.countOf(subject, now) < limit.count) return;
      const lastGoodMs = good.get(sha256Hex(credential)) ?? null;
      if (lastGoodMs !== null && now.getTime() - lastGoodMs < REMEMBERED_MS) return;
      throw tooMany(
        limit,
        startOfWindow(now, limit.windowSeconds),
        now,
        'Too many unknown keys or tokens came from this address. Wait as long as Retry-After says.',
      );
    },
    noteBad(subject, now) {
      failures.add(subject, now);
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
