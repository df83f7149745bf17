import type { Database } from '../platform/postgres.ts';
import type { JobKind } from './queue.ts';
import { findExpiredLeases, requeueExpired } from './store.ts';

/**
 * Takes jobs from workers that no longer renew their leases. A lease must look expired for `confirmMs` on our own steady
 * clock, longer than a heartbeat: when the database's clock jumps, a living worker renews in that time and keeps its job.
 */
export function createReaper(
  db: Database,
  options: { leaseMs: number; confirmMs: number; nowMs?: () => number },
): { tick(): Promise<JobKind[]> } {
  const nowMs = options.nowMs ?? (() => performance.now());
  let firstSeenMs = new Map<string, number>();
  return {
    async tick() {
      const expired = await findExpiredLeases(db, options.leaseMs);
      const seen = new Map<string, number>();
      const requeued: JobKind[] = [];
      for (const lease of expired) {
        const key = `${lease.id} ${lease.claims} ${lease.leaseUntil}`;
        const sinceMs = firstSeenMs.get(key) ?? nowMs();
        if (nowMs() - sinceMs < options.confirmMs) {
          seen.set(key, sinceMs);
          continue;
        }
        const kind = await requeueExpired(db, lease, options.leaseMs);
        if (kind !== null) requeued.push(kind);
      }
      firstSeenMs = seen;
      return requeued;
    },
  };
}
