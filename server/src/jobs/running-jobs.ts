import { setTimeout as delay } from 'node:timers/promises';
import type { Dependencies } from '../context.ts';
import { runAttempt } from './attempt.ts';
import { type JobDefinition, WorkerStopping } from './job.ts';
import { LeaseLost } from './lease.ts';
import type { JobKind } from './queue.ts';
import { type ClaimedJob, releaseJob, renewLeases } from './store.ts';

/** Chosen: handlers that were told to stop get this long to let go before their jobs are handed back over their heads. */
const ABORT_GRACE_MS = 3_000;

/** The jobs that a worker has claimed and that have not ended. */
export type RunningJobs = {
  count(): number;
  ofKind(kind: JobKind): ClaimedJob[];
  /** Whether one of them wants no other beside it. */
  hasExclusiveJob(): boolean;
  start(definition: JobDefinition<JobKind>, claimed: ClaimedJob): void;
  /** Tells the database that we live; a job that is no longer ours is given up. */
  renew(leaseMs: number): Promise<void>;
  /** Gives them `graceMs` to end, and hands the rest back unharmed. */
  handBack(graceMs: number): Promise<void>;
};

type Running = { claimed: ClaimedJob; abort: AbortController; done: Promise<void> };

export function createRunningJobs(deps: Dependencies, onEnd: (ended: ClaimedJob) => void): RunningJobs {
  const { db, log } = deps;
  const running = new Map<number, Running>();
  const all = () => [...running.values()];

  async function runAfter(
    others: readonly Promise<void>[],
    definition: JobDefinition<JobKind>,
    claimed: ClaimedJob,
    abort: AbortController,
  ): Promise<void> {
    await Promise.all(others);
    // Stopped, or taken away, before its turn came.
    if (abort.signal.aborted) return void (await releaseJob(db, claimed).catch(() => {}));
    await runAttempt(deps, definition, claimed, abort);
  }

  return {
    count: () => running.size,
    ofKind: (kind) => all().flatMap(({ claimed }) => (claimed.kind === kind ? [claimed] : [])),
    hasExclusiveJob: () => all().some(({ claimed }) => claimed.alone),

    start(definition, claimed) {
      const abort = new AbortController();
      const { kind, alone } = claimed;
      // Claims of two kinds may arrive together: a job that runs alone waits for all before it, and those behind it wait for it.
      const others = all().filter((other) => alone || other.claimed.alone);
      deps.metrics.jobsRunning.inc({ kind });
      const before = others.map(({ done }) => done);
      const done = runAfter(before, definition, claimed, abort).finally(() => {
        deps.metrics.jobsRunning.dec({ kind });
        running.delete(claimed.id);
        onEnd(claimed);
      });
      running.set(claimed.id, { claimed, abort, done });
    },

    async renew(leaseMs) {
      const held = all();
      if (held.length === 0) return;
      const leases = held.map(({ claimed }) => ({ jobId: claimed.id, claim: claimed.claims }));
      const kept = await renewLeases(db, leases, leaseMs);
      for (const { claimed, abort } of held) {
        if (!kept.has(claimed.id) && running.has(claimed.id)) abort.abort(new LeaseLost());
      }
    },

    async handBack(graceMs) {
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

/** Waits until all have ended, at most so long. */
async function settled(running: readonly Running[], waitMs: number): Promise<void> {
  if (running.length === 0) return;
  const cancel = new AbortController();
  const ended = Promise.all(running.map(({ done }) => done));
  await Promise.race([ended, delay(waitMs, undefined, { signal: cancel.signal }).catch(() => {})]);
  cancel.abort();
}
