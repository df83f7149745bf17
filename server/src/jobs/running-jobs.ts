import { setTimeout as delay } from 'node:timers/promises';
import type { Dependencies } from '../context.ts';
import { runAttempt } from './attempt.ts';
import { type JobDefinition, WorkerStopping } from './job.ts';
import { LeaseLost } from './lease.ts';
import type { JobKind } from './queue.ts';
import { type ClaimedJob, releaseJob, renewLeases } from './store.ts';

/** How long aborted handlers may take to end before their jobs are handed back regardless. */
const ABORT_GRACE_MS = 3_000;

type Running = { claimed: ClaimedJob; abort: AbortController; done: Promise<void> };

/** The jobs that a worker has claimed and not yet ended. */
export function createRunningJobs(deps: Dependencies, onEnd: (ended: ClaimedJob) => void) {
  const { db, log } = deps;
  const running = new Set<Running>();
  const all = () => [...running];

  async function runAfter(
    others: readonly Promise<void>[],
    definition: JobDefinition<JobKind>,
    claimed: ClaimedJob,
    abort: AbortController,
  ): Promise<void> {
    await Promise.all(others);
    // The worker stopped, or the lease was lost, before its turn came.
    if (abort.signal.aborted) return void (await releaseJob(db, claimed).catch(() => {}));
    await runAttempt(deps, definition, claimed, abort);
  }

  return {
    count: () => running.size,
    ofKind: (kind: JobKind) => all().flatMap(({ claimed }) => (claimed.kind === kind ? [claimed] : [])),
    /** Whether one of them must run alone. */
    hasExclusiveJob: () => all().some(({ claimed }) => claimed.alone),

    start(definition: JobDefinition<JobKind>, claimed: ClaimedJob): void {
      const abort = new AbortController();
      const { kind, alone } = claimed;
      // Jobs of two kinds may be claimed at once: a job that runs alone waits for all earlier ones, and later ones wait for it.
      const others = all().filter((other) => alone || other.claimed.alone);
      // After a pause longer than the lease, this worker itself may claim the job again before its heartbeat finds the lease lost.
      for (const other of all()) if (other.claimed.id === claimed.id) other.abort.abort(new LeaseLost());
      deps.metrics.jobsRunning.inc({ kind });
      const before = others.map(({ done }) => done);
      const done = runAfter(before, definition, claimed, abort).finally(() => {
        deps.metrics.jobsRunning.dec({ kind });
        running.delete(own);
        onEnd(claimed);
      });
      const own = { claimed, abort, done };
      running.add(own);
    },

    /** Renews the leases, and aborts jobs whose lease was lost. */
    async renew(leaseMs: number): Promise<void> {
      const held = all();
      if (held.length === 0) return;
      const leases = held.map(({ claimed }) => ({ jobId: claimed.id, claim: claimed.claims }));
      const kept = await renewLeases(db, leases, leaseMs);
      for (const job of held) {
        if (!kept.has(job.claimed.id) && running.has(job)) job.abort.abort(new LeaseLost());
      }
    },

    /** Lets them end for `graceMs`, then aborts the rest and hands them back; those attempts do not count. */
    async handBack(graceMs: number): Promise<void> {
      await settled(all(), graceMs);
      for (const { abort } of all()) abort.abort(new WorkerStopping());
      await settled(all(), ABORT_GRACE_MS);
      for (const { claimed } of all()) {
        await releaseJob(db, claimed).catch((error: unknown) =>
          log.error({ err: error }, 'A job was not handed back'),
        );
      }
    },
  };
}

/** Waits until all have ended, at most `waitMs`. */
async function settled(running: readonly Running[], waitMs: number): Promise<void> {
  if (running.length === 0) return;
  const cancel = new AbortController();
  const ended = Promise.all(running.map(({ done }) => done));
  await Promise.race([ended, delay(waitMs, undefined, { signal: cancel.signal }).catch(() => {})]);
  cancel.abort();
}
