import type { Database } from '../platform/postgres.ts';
import type { JobKind } from './queue.ts';
import { findExpiredLeases, requeueExpired } from './store.ts';

/**
 * Requeues jobs whose workers no longer renew their leases. A lease must look expired for `confirmMs` by our own monotonic clock, longer
 * than a heartbeat: after a jump of the database's clock, a living worker renews its lease in that time and keeps its job.
 */
export function createReaper(
  db: Database,
  options: { leaseMs: number; confirmMs: number; nowMs?: () => number },
): {
  /** Returns the kind of each job that was requeued. */
  tick(): Promise<JobKind[]>;
} {
  const nowMs = options.nowMs ?? (() => performance.now());
  let firstSeenMs = new Map<string, number>();
  return {
    async tick() {
      const expired = await findExpiredLeases(db, options.leaseMs);
      const stillSeenMs = new Map<string, number>();
      const requeued: JobKind[] = [];
      for (const lease of expired) {
        const key = `${lease.id} ${lease.claims} ${lease.leaseUntil}`;
        const sinceMs = firstSeenMs.get(key) ?? nowMs();
        if (nowMs() - sinceMs < options.confirmMs) {
          stillSeenMs.set(key, sinceMs);
          continue;
        }
        const kind = await requeueExpired(db, lease, options.leaseMs);
        if (kind !== null) requeued.push(kind);
      }
      firstSeenMs = stillSeenMs;
      return requeued;
    },
  };
}
