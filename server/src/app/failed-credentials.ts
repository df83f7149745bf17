import type { Limit } from '../errors.ts';
import { startOfWindow, tooMany } from '../http/limits.ts';
import { createWindowCounter } from '../http/window-counter.ts';
import { sha256Hex } from '../platform/crypto.ts';

/** A credential that was good within this time passes even from a refused address. Chosen: most programs call more often. */
const REMEMBERED_MS = 15 * 60_000;
/** Chosen: one or two megabytes. */
const REMEMBERED_MAX = 10_000;

/** Counts the bad tokens and keys of each address, in this process alone, like the request meter. */
export type FailedCredentials = {
  /**
   * Throws 429, before any lookup, when the address sent too many bad credentials this minute. Those that were good lately pass:
   * one guesser must not lock out everyone behind the same address.
   */
  assertFew(subject: string, credential: string, now: Date): void;
  noteBad(subject: string, now: Date): void;
  noteGood(credential: string, now: Date): void;
};

export function createFailedCredentials(perMinute: number): FailedCredentials {
  const limit: Limit = { name: 'failed-credentials', count: perMinute, windowSeconds: 60 };
  const failures = createWindowCounter(limit);
  /** Hash of a credential → when it was last good; oldest first. */
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
