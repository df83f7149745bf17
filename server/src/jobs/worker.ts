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
  /** Without a renewal for this long, a worker counts as dead. */
  leaseMs: number;
  heartbeatMs: number;
  /** How long an expired lease is watched before it is acted on; more than a heartbeat. */
  confirmMs: number;
  /** Behind LISTEN/NOTIFY: due retries, dead workers, missed notifications. */
  pollMs: number;
  sweepSeconds: number;
};

/** A killed worker's job is free again after leaseMs + confirmMs + pollMs at most: 21 s. */
export const WORKER_TIMINGS: WorkerTimings = {
  leaseMs: 15_000,
  heartbeatMs: 4_000,
  confirmMs: 5_000,
  pollMs: 1_000,
  sweepSeconds: 60,
};

export type Worker = {
  /** Takes no more jobs, gives those that run `graceMs` to end, and hands the rest back unharmed. */
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
      // Whoever runs alone stays so; everybody is woken when it ends.
      if (running.hasExclusiveJob()) return;
      const busy = running.ofKind(kind);
      const slots = definition.concurrency(deps.config);
      const free = slots - busy.length;
      if (free <= 0) return;
      const tenantMax = definition.perTenant?.(deps.config) ?? slots;
      const exceptTenants = tenantsWith(busy, tenantMax);
      // One at a time where tenants are counted, since each changes the count.
      const limit = tenantMax < slots ? 1 : free;
      const claimed = await claimJobs(db, kind, {
        limit,
        exceptTenants,
        workerId,
        leaseMs: timings.leaseMs,
      });
      for (const job of claimed) running.start(definition, job);
      if (claimed.length === limit && limit < free) wanted.add(kind);
    }
  }

  const reaper = createReaper(db, timings);
  async function poll(): Promise<void> {
    if (stopping) return;
    await promoteDueJobs(db);
    for (const kind of await reaper.tick()) log.warn({ jobKind: kind }, 'A job was taken from a dead worker');
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

/** Who has as many of these as one tenant may. */
function tenantsWith(busy: readonly ClaimedJob[], count: number): string[] {
  const tenants = busy.map(({ tenant }) => tenant);
  return [...new Set(tenants)].filter(
    (tenant) => tenants.filter((other) => other === tenant).length >= count,
  );
}

/** Runs again `intervalMs` after it ended; a failure is logged, since the next round is the retry. */
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
      await work().catch((error: unknown) => log.warn({ err: error }, 'A round of the worker failed'));
    }
  })();
  return {
    async end() {
      stop.abort();
      await loop;
    },
  };
}
