import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Dependencies } from '../context.ts';
import { runAttempt } from './attempt.ts';
import { type JobDefinition, type JobDefinitions, WorkerStopping } from './job.ts';
import { LeaseLost } from './lease.ts';
import { JOBS_CHANNEL, type JobKind } from './queue.ts';
import { createReaper } from './reaper.ts';
import {
  type ClaimedJob,
  claimJobs,
  promoteDueJobs,
  queueSweepIfDue,
  releaseJob,
  renewLeases,
} from './store.ts';

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

type Running = { claimed: ClaimedJob; abort: AbortController; done: Promise<void> };

/** Handlers that were told to stop get this long to let go before their jobs are handed back over their heads. */
const LET_GO_MS = 3_000;

export async function startWorker(
  deps: Dependencies,
  definitions: JobDefinitions,
  timings: WorkerTimings = WORKER_TIMINGS,
): Promise<Worker> {
  const { db, log } = deps;
  const workerId = `${hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`;
  const kinds = Object.keys(definitions) as JobKind[];
  const running = new Map<number, Running>();
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
      if ([...running.values()].some(({ claimed }) => claimed.alone)) return;
      const busy = [...running.values()].filter(({ claimed }) => claimed.kind === kind);
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
      for (const job of claimed) start(definition, job);
      if (claimed.length === limit && limit < free) wanted.add(kind);
    }
  }

  function start(definition: JobDefinition<JobKind>, claimed: ClaimedJob): void {
    const abort = new AbortController();
    const { kind } = claimed;
    const { alone } = claimed;
    // Claims of two kinds may come in together: who comes after one that runs alone waits for it, as it did for all before.
    const others = [...running.values()]
      .filter((other) => alone || other.claimed.alone)
      .map(({ done }) => done);
    deps.metrics.jobsRunning.inc({ kind });
    const done = runAfter(others, definition, claimed, abort).finally(() => {
      deps.metrics.jobsRunning.dec({ kind });
      running.delete(claimed.id);
      for (const waiting of alone ? kinds : [kind]) wake(waiting);
    });
    running.set(claimed.id, { claimed, abort, done });
  }

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

  async function heartbeat(): Promise<void> {
    const held = [...running.values()];
    if (held.length === 0) return;
    const leases = held.map(({ claimed }) => ({ jobId: claimed.id, claim: claimed.claims }));
    const kept = await renewLeases(db, leases, timings.leaseMs);
    for (const { claimed, abort } of held) {
      if (!kept.has(claimed.id) && running.has(claimed.id)) abort.abort(new LeaseLost());
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
  const timers = [repeat(heartbeat, timings.heartbeatMs, log), repeat(poll, timings.pollMs, log)];
  for (const kind of kinds) wake(kind);

  return {
    runningCount: () => running.size,
    async stop(graceMs) {
      stopping = true;
      await stopListening();
      await Promise.all(claiming.values());
      await settled(running, graceMs);
      for (const { abort } of running.values()) abort.abort(new WorkerStopping());
      await settled(running, LET_GO_MS);
      for (const { claimed } of running.values()) {
        await releaseJob(db, claimed).catch((error: unknown) =>
          log.error({ err: error }, 'A job was not handed back'),
        );
      }
      for (const timer of timers) await timer.end();
    },
  };
}

/** Who has as many of these as one tenant may. */
function tenantsWith(busy: readonly Running[], count: number): string[] {
  const tenants = busy.map(({ claimed }) => claimed.tenant);
  return [...new Set(tenants)].filter(
    (tenant) => tenants.filter((other) => other === tenant).length >= count,
  );
}

/** Waits until all have ended, at most so long. */
async function settled(running: Map<number, Running>, waitMs: number): Promise<void> {
  if (running.size === 0) return;
  const cancel = new AbortController();
  const all = Promise.all([...running.values()].map(({ done }) => done));
  await Promise.race([all, delay(waitMs, undefined, { signal: cancel.signal }).catch(() => {})]);
  cancel.abort();
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
