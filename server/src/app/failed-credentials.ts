import type { Limit } from '../errors.ts';
import { rateLimited } from '../limits/rate-limits.ts';
import { createWindowCounter } from '../limits/window-counter.ts';
import { sha256Hex } from '../platform/crypto.ts';

/** A credential accepted within this time still passes from a refused address. Most programs call more often. */
const REMEMBERED_MS = 15 * 60_000;
/** Bounds the memory to one or two megabytes. */
const REMEMBERED_MAX = 10_000;

export type FailedCredentials = ReturnType<typeof createFailedCredentials>;

/** Counts the rejected tokens and keys of each address, in this process alone. */
export function createFailedCredentials(countPerMinute: number) {
  const limit: Limit = { name: 'failed-credentials', count: countPerMinute, windowSeconds: 60 };
  const failures = createWindowCounter(limit);
  /** Hash of a credential → when it was last accepted; oldest first. */
  const acceptedMs = new Map<string, number>();

  return {
    /**
     * Throws 429, before any lookup, when the address has sent too many bad credentials this minute. Recently accepted ones pass: one
     * attacker must not lock out every client behind the same address.
     */
    assertBelowLimit(subject: string, credential: string, now: Date): void {
      if (failures.countOf(subject, now) < limit.count) return;
      const lastMs = acceptedMs.get(sha256Hex(credential)) ?? null;
      if (lastMs !== null && now.getTime() - lastMs < REMEMBERED_MS) return;
      throw rateLimited(
        limit,
        now,
        'Too many unknown keys or tokens came from this address. Wait as long as Retry-After says.',
      );
    },
    noteFailure(subject: string, now: Date): void {
      failures.add(subject, now);
    },
    noteSuccess(credential: string, now: Date): void {
      const hash = sha256Hex(credential);
      // Moves a known credential to the end.
      acceptedMs.delete(hash);
      acceptedMs.set(hash, now.getTime());
      if (acceptedMs.size <= REMEMBERED_MAX) return;
      const [oldest] = acceptedMs.keys();
      if (oldest !== undefined) acceptedMs.delete(oldest);
    },
  };
}
