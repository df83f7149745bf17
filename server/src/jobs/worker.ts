import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Dependencies } from '../context.ts';
import type { JobDefinition, JobDefinitions } from './job.ts';
import { JOBS_CHANNEL, type JobKind } from './queue.ts';
import { createReaper } from './reaper.ts';
import { createRunningJobs } from './running-jobs.ts';
import { type ClaimedJob, claimJobs, promoteDueJobs, queueSweepIfDue } from './store.ts';

export type WorkerTimings = {
  /** A worker counts as dead after this long without a renewal. */
  leaseMs: number;
  heartbeatMs: number;
  /** How long a lease must look expired before its job is requeued; more than a heartbeat. */
  confirmMs: number;
  /** For what LISTEN/NOTIFY does not report: due retries, dead workers, missed notifications. */
  pollMs: number;
  sweepSeconds: number;
};

/** A killed worker's job is requeued after at most leaseMs + confirmMs + pollMs, 21 s. */
export const WORKER_TIMINGS: WorkerTimings = {
  leaseMs: 15_000,
  heartbeatMs: 4_000,
  confirmMs: 5_000,
  pollMs: 1_000,
  sweepSeconds: 60,
};

export type Worker = {
  /** Claims no more jobs, lets the running ones end for `graceMs`, and hands the rest back. */
  stop(graceMs: number): Promise<void>;
  runningCount(): number;
};

export async function startWorker(
  deps: Dependencies,
  definitions: JobDefinitions,
  timings: WorkerTimings = WORKER_TIMINGS,
): Promise<Worker> {
  const { db, log } = deps;
  const workerId = `${hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`;
  const kinds = Object.keys(definitions) as JobKind[];
  const running = createRunningJobs(deps, ({ kind, alone }) => {
    for (const waiting of alone ? kinds : [kind]) wake(waiting);
  });
  const claiming = new Map<JobKind, Promise<void>>();
  const wanted = new Set<JobKind>();
  let stopping = false;

  function wake(kind: JobKind): void {
    wanted.add(kind);
    if (stopping || claiming.has(kind)) return;
    const loop = claimWhileWanted(kind)
      .catch((error: unknown) => log.warn({ err: error, jobKind: kind }, 'Jobs could not be claimed'))
      .finally(() => {
        claiming.delete(kind);
        if (wanted.has(kind)) wake(kind);
      });
    claiming.set(kind, loop);
  }

  async function claimWhileWanted(kind: JobKind): Promise<void> {
    const definition = definitions[kind] as JobDefinition<JobKind>;
    while (wanted.delete(kind) && !stopping) {
      // The end of the job that runs alone wakes every kind.
      if (running.hasExclusiveJob()) return;
      const busy = running.ofKind(kind);
      const slotCount = definition.concurrency(deps.config);
      const freeCount = slotCount - busy.length;
      if (freeCount <= 0) return;
      const perTenantMax = definition.perTenant?.(deps.config) ?? slotCount;
      const exceptTenants = tenantsWith(busy, perTenantMax);
      // One at a time where tenants have a limit, since each claim changes their counts.
      const limit = perTenantMax < slotCount ? 1 : freeCount;
      const claimed = await claimJobs(db, kind, {
        limit,
        exceptTenants,
        workerId,
        leaseMs: timings.leaseMs,
      });
      for (const job of claimed) running.start(definition, job);
      if (claimed.length === limit && limit < freeCount) wanted.add(kind);
    }
  }

  const reaper = createReaper(db, timings);
  async function poll(): Promise<void> {
    if (stopping) return;
    await promoteDueJobs(db);
    for (const kind of await reaper.tick())
      log.warn({ jobKind: kind }, 'A job of a dead worker was requeued');
    await queueSweepIfDue(db, timings.sweepSeconds);
    for (const kind of kinds) wake(kind);
  }

  const stopListening = await db.listen(JOBS_CHANNEL, (payload) => {
    for (const kind of kinds) if (payload === null || payload === kind) wake(kind);
  });
  const heartbeat = () => running.renew(timings.leaseMs);
  const timers = [repeat(heartbeat, timings.heartbeatMs, log), repeat(poll, timings.pollMs, log)];
  for (const kind of kinds) wake(kind);

  return {
    runningCount: running.count,
    async stop(graceMs) {
      stopping = true;
      stopListening();
      await Promise.all(claiming.values());
      await running.handBack(graceMs);
      for (const timer of timers) await timer.end();
    },
  };
}

/** The tenants that have at least `count` of these jobs. */
function tenantsWith(busy: readonly ClaimedJob[], count: number): string[] {
  const tenants = busy.map(({ tenant }) => tenant);
  return [...new Set(tenants)].filter(
    (tenant) => tenants.filter((other) => other === tenant).length >= count,
  );
}

/** Runs `work` again `intervalMs` after it ended. A failure is only logged, since the next run is the retry. */
function repeat(
  work: () => Promise<void>,
  intervalMs: number,
  log: Dependencies['log'],
): { end(): Promise<void> } {
  const stop = new AbortController();
  const loop = (async () => {
    while (!stop.signal.aborted) {
      await delay(intervalMs, undefined, { signal: stop.signal }).catch(() => {});
      if (stop.signal.aborted) return;
      await work().catch((error: unknown) =>
        log.warn({ err: error }, 'A periodic task of the worker failed'),
      );
    }
  })();
  return {
    async end() {
      stop.abort();
      await loop;
    },
  };
}
