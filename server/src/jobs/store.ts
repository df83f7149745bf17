import type { Database, Queryable } from '../platform/postgres.ts';
import { truncateText } from '../platform/truncate-text.ts';
import { enqueue, inLockOrder, JOBS_CHANNEL, type JobKind, PRESENT_TURN, TAKE_TURNS } from './queue.ts';

/**
 * SQL of the queue. No statement is scoped by workspace: a worker serves all of them, and handlers find the workspace in the row that a
 * job refers to. Tenants only share the queue fairly.
 */

export type ClaimedJob = {
  id: number;
  kind: JobKind;
  tenant: string;
  payload: unknown;
  attempt: number;
  attemptsMax: number;
  claims: number;
  deaths: number;
  /** No other job may run in the worker at the same time. */
  alone: boolean;
  lastError: string | null;
};

/** A job that was running when this many workers died runs alone from then on, which shows whether it was the cause. */
const DEATHS_BEFORE_ALONE = 2;
/** When this many workers die of it alone, it has failed. One death may be chance. */
const DEATHS_ALONE_MAX = 3;

/**
 * Claims the next jobs of a kind in the order of turns, except those of some tenants. Concurrent workers never get the same job and
 * never wait for each other. If only excepted tenants have queued jobs, possibly a hundred thousand, the index is not walked at all;
 * otherwise a job of another tenant is near its front, since turns alternate between tenants.
 */
export const CLAIM_JOBS = `
  with recursive waiting (tenant) as (
    (select tenant from jobs where kind = $1 and state = 'queued' order by tenant limit 1)
    union all
    select (
      select tenant from jobs where kind = $1 and state = 'queued' and tenant > waiting.tenant order by tenant limit 1
    )
    from waiting where tenant = any ($5::text[])
  ),
  next as (
    select id from jobs where kind = $1 and state = 'queued' and tenant <> all ($5::text[])
      and exists (select 1 from waiting where tenant <> all ($5::text[]))
    order by turn, id limit $2 for update skip locked
  )
  update jobs
  set state = 'running', attempt = attempt + 1, claims = claims + 1, leased_by = $3,
      lease_until = now() + make_interval(secs => $4), alone = deaths >= ${DEATHS_BEFORE_ALONE}
  from next where jobs.id = next.id
  returning jobs.id, kind, tenant, payload, attempt, attempts_max as "attemptsMax", claims, deaths, alone,
    last_error as "lastError"`;

export async function claimJobs(
  db: Queryable,
  kind: JobKind,
  options: { limit: number; workerId: string; leaseMs: number; exceptTenants?: readonly string[] },
): Promise<ClaimedJob[]> {
  const { limit, workerId, leaseMs, exceptTenants = [] } = options;
  return db.query<ClaimedJob>(CLAIM_JOBS, [kind, limit, workerId, leaseMs / 1000, exceptTenants]);
}

/**
 * Renews the leases that are still held, and returns the ids of their jobs. Skips a row that its own attempt has locked for writing:
 * waiting for it would delay all others.
 */
export async function renewLeases(
  db: Queryable,
  held: readonly { jobId: number; claim: number }[],
  leaseMs: number,
): Promise<Set<number>> {
  const rows = await db.query<{ id: number }>(
    `with held as (select * from unnest($1::bigint[], $2::integer[]) as held (id, claims)),
     free as (
       select jobs.id from jobs join held using (id, claims) where state = 'running' for update of jobs skip locked
     ),
     renewed as (
       update jobs set lease_until = now() + make_interval(secs => $3) from free where jobs.id = free.id
     )
     select jobs.id from jobs join held using (id, claims) where state = 'running'`,
    [held.map(({ jobId }) => jobId), held.map(({ claim }) => claim), leaseMs / 1000],
  );
  return new Set(rows.map(({ id }) => id));
}

export type ExpiredLease = { id: number; claims: number; leaseUntil: string };

/** A lease too far in the future was set before the database's clock was set back. */
const EXPIRED = `state = 'running' and (lease_until < now() or lease_until > now() + 2 * make_interval(secs => $1))`;

/** The next poll finds the rest. */
const EXPIRED_MAX = 1_000;

export async function findExpiredLeases(db: Queryable, leaseMs: number): Promise<ExpiredLease[]> {
  return db.query<ExpiredLease>(
    `select id, claims, lease_until::text as "leaseUntil" from jobs where ${EXPIRED} limit ${EXPIRED_MAX}`,
    [leaseMs / 1000],
  );
}

/** The beginning of the last_error of a job whose worker died. */
const WORKER_LOST = 'The worker stopped answering';

/**
 * Returns a dead worker's job to its place in the queue, or to the front if the queue has moved on. The attempt does
 * not count, since another job may have been the cause; but a job that has killed DEATHS_ALONE_MAX workers alone has no attempts left.
 */
export async function requeueExpired(
  db: Database,
  lease: ExpiredLease,
  leaseMs: number,
): Promise<JobKind | null> {
  return db.transaction(async (tx) => {
    const job = await tx.maybeOne<{ kind: JobKind }>(
      `select kind from jobs where ${EXPIRED} and id = $2 and claims = $3 for update skip locked`,
      [leaseMs / 1000, lease.id, lease.claims],
    );
    if (job === null) return null;
    await tx.query(
      `with present as (${PRESENT_TURN})
       update jobs set state = 'queued', turn = greatest(jobs.turn, present.turn), lease_until = null,
         attempt = case when deaths_alone + alone::integer >= ${DEATHS_ALONE_MAX} then attempts_max else attempt - 1 end,
         deaths = deaths + 1, deaths_alone = deaths_alone + alone::integer,
         last_error = $3 || ' (' || coalesce(leased_by, 'unknown') || ')', leased_by = null
       from present where id = $2`,
      [job.kind, lease.id, WORKER_LOST],
    );
    await tx.query('select pg_notify($1, $2)', [JOBS_CHANNEL, job.kind]);
    return job.kind;
  });
}

/** Per transaction; the next poll promotes the rest. */
const PROMOTED_MAX = 200;

/** Moves jobs that are due into the queue. */
export async function promoteDueJobs(db: Database): Promise<number> {
  // With an order, so that the planner reads the index: it overestimates how many are due, since every queued job once was.
  const anyDue = await db.maybeOne(
    `select 1 from jobs where state = 'waiting' and run_at <= now() order by run_at limit 1`,
  );
  if (anyDue === null) return 0;
  return db.transaction(async (tx) => {
    const due = await tx.query<{ id: number; kind: JobKind; tenant: string }>(
      `select id, kind, tenant from jobs where state = 'waiting' and run_at <= now()
       order by run_at limit ${PROMOTED_MAX} for update skip locked`,
    );
    for (const jobs of inLockOrder(due)) {
      const [{ kind, tenant }] = jobs as [(typeof due)[number]];
      await tx.query(
        `with ${TAKE_TURNS}
         update jobs set state = 'queued', turn = mine.before + job.nth
         from mine, unnest($4::bigint[]) with ordinality as job (id, nth) where jobs.id = job.id`,
        [kind, tenant, jobs.length, jobs.map(({ id }) => id)],
      );
    }
    for (const kind of new Set(due.map((job) => job.kind))) {
      await tx.query('select pg_notify($1, $2)', [JOBS_CHANNEL, kind]);
    }
    return due.length;
  });
}

/**
 * A job costs its tenant one more turn for each of these. Most songs take less: five minutes of music take three seconds
 * (docs/benchmarks.md).
 */
const TURN_MS = 5_000;

/** At most this many queued jobs are moved per turn owed: moving them costs far less than the five seconds of a turn. */
const JOBS_MOVED_PER_TURN = 1_000;

/**
 * Charges a tenant for the time its job took beyond one turn, once that is known: its queued jobs and its last turn move back by as many
 * turns. A tenant with a hundred thousand queued jobs is not moved whenever one of them ends, but once enough turns are owed.
 */
export async function chargeTurns(db: Database, job: ClaimedJob, durationMs: number): Promise<void> {
  const turns = Math.floor(durationMs / TURN_MS);
  if (turns === 0) return;
  await db.transaction(async (tx) => {
    const { kind, tenant } = job;
    await tx.query(`with ${TAKE_TURNS} select 1 from mine`, [kind, tenant, 0]);
    const { owed } = await tx.one<{ owed: number }>(
      'update job_turns set owed = owed + $3 where kind = $1 and tenant = $2 returning owed',
      [kind, tenant, turns],
    );
    const movedMax = owed * JOBS_MOVED_PER_TURN;
    const { count } = await tx.one<{ count: number }>(
      `select count(*) as count from (
         select 1 from jobs where kind = $1 and tenant = $2 and state = 'queued' limit $3) as queued`,
      [kind, tenant, movedMax + 1],
    );
    if (count > movedMax) return;
    await tx.query(
      `with free as (
         select id from jobs where kind = $1 and tenant = $2 and state = 'queued' for update skip locked
       )
       update jobs set turn = turn + $3 from free where jobs.id = free.id`,
      [kind, tenant, owed],
    );
    await tx.query('update job_turns set turn = turn + owed, owed = 0 where kind = $1 and tenant = $2', [
      kind,
      tenant,
    ]);
  });
}

/** Enough to see what went wrong. */
const REASON_CHARACTERS_MAX = 2_000;

/** Postpones the job until its next attempt, unless another worker has it by now. */
export async function planRetry(
  db: Queryable,
  job: ClaimedJob,
  { delayMs, reason, attemptCounts = true }: { delayMs: number; reason: string; attemptCounts?: boolean },
): Promise<void> {
  const attempt = attemptCounts ? job.attempt : job.attempt - 1;
  await db.query(
    `update jobs set state = 'waiting', run_at = now() + make_interval(secs => $3), last_error = $4, attempt = $5,
       lease_until = null, leased_by = null
     where id = $1 and claims = $2 and state = 'running'`,
    [job.id, job.claims, delayMs / 1000, truncateText(reason, REASON_CHARACTERS_MAX), attempt],
  );
}

/** Hands the job back as if this worker had never claimed it. */
export async function releaseJob(db: Queryable, job: ClaimedJob): Promise<void> {
  await db.query(
    `with present as (${PRESENT_TURN}), released as (
       update jobs set state = 'queued', attempt = attempt - 1, turn = greatest(jobs.turn, present.turn),
         lease_until = null, leased_by = null
       from present where id = $2 and claims = $3 and state = 'running'
       returning id
     )
     select pg_notify('${JOBS_CHANNEL}', $1::text) from released`,
    [job.kind, job.id, job.claims],
  );
}

/** Ends a job whose handler returned without doing so. */
export async function endIfHeld(db: Queryable, job: ClaimedJob): Promise<void> {
  await db.query(`delete from jobs where id = $1 and claims = $2 and state = 'running'`, [
    job.id,
    job.claims,
  ]);
}

/**
 * Queues the sweep at most once per interval across all processes, and not while one is unfinished. The conditional update is the lock:
 * a second process sees the tick of the first.
 */
export async function queueSweepIfDue(db: Database, intervalSeconds: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    const ticked = await tx.maybeOne(
      `insert into job_schedules (kind, last_tick_at) values ('sweep', now())
       on conflict (kind) do update set last_tick_at = now()
       where abs(extract(epoch from now() - job_schedules.last_tick_at)) >= $1
       returning kind`,
      [intervalSeconds],
    );
    if (ticked === null) return false;
    const unfinished = await tx.maybeOne(`select 1 from jobs where kind = 'sweep' limit 1`);
    if (unfinished !== null) return false;
    await enqueue(tx, { kind: 'sweep', tenant: 'system', payload: {} });
    return true;
  });
}

/** Deletes turns that the queue has passed: the tenant's next job starts at the current turn anyway. */
export async function deleteSettledTurns(db: Queryable): Promise<number> {
  const rows = await db.query(
    `with settled as (
       select kind, tenant from job_turns where turn < (
         select coalesce(
           (select max(turn) from jobs where jobs.kind = job_turns.kind and state = 'running'),
           (select min(turn) from jobs where jobs.kind = job_turns.kind and state = 'queued'),
           (select max(turn) from job_turns newest where newest.kind = job_turns.kind)
         )
       )
       for update skip locked
     )
     delete from job_turns using settled
     where job_turns.kind = settled.kind and job_turns.tenant = settled.tenant returning job_turns.kind`,
  );
  return rows.length;
}
