import type { Statement, Transaction } from '../platform/postgres.ts';
import { prepared } from '../platform/prepared.ts';
import { currentTrace } from '../platform/tracing.ts';

/** The payload of each kind of job: the ids of the rows from which it reads everything else. */
export type JobPayloads = {
  'analysis.download': { analysisId: string };
  'analysis.run': { analysisId: string };
  'webhook.deliver': { deliveryId: string };
  'mail.send': { mailId: string };
  'usage.report': { analysisId: string };
  sweep: Record<string, never>;
};

export type JobKind = keyof JobPayloads;

/** How often a job may start by default; more often where another service has to answer, which may be down for longer. */
const ATTEMPTS_MAX: Record<JobKind, number> = {
  'analysis.download': 3,
  'analysis.run': 3,
  'webhook.deliver': 10,
  'mail.send': 8,
  'usage.report': 10,
  sweep: 1,
};

export const JOBS_CHANNEL = 'jobs';

export type NewJob<K extends JobKind> = {
  kind: K;
  /** Between tenants the queue is fair: a workspace, a webhook endpoint, a mail's recipient, 'demo' or 'system'. */
  tenant: string;
  payload: JobPayloads[K];
  /** By default now. */
  runAt?: Date;
  attemptsMax?: number;
};

type ReadyJob = { kind: JobKind; tenant: string; payload: string; attemptsMax: number };
const readyJobs = new WeakMap<Transaction, ReadyJob[]>();

/**
 * Adds a job in the caller's transaction, so that it exists if and only if the row it works on does. Its turn is taken at the end of the
 * transaction, since that locks the tenant's row of turns, and all transactions must lock these in the same order.
 */
export async function enqueue<K extends JobKind>(tx: Transaction, job: NewJob<K>): Promise<void> {
  const { kind, tenant } = job;
  const payload = JSON.stringify({ ...job.payload, ...currentTrace() });
  const attemptsMax = job.attemptsMax ?? ATTEMPTS_MAX[kind];
  if (job.runAt !== undefined) {
    // Takes its turn only when it is due (promoteDueJobs), so that jobs planned early gain no advantage.
    await tx.query(
      `insert into jobs (kind, tenant, payload, state, turn, run_at, attempts_max)
       values ($1, $2, $3, 'waiting', 0, $4, $5)`,
      [kind, tenant, payload, job.runAt, attemptsMax],
    );
    return;
  }
  const ready = readyJobs.get(tx) ?? [];
  if (ready.length === 0) {
    readyJobs.set(tx, ready);
    tx.beforeCommit(() => inLockOrder(ready).map(addJobs));
  }
  ready.push({ kind, tenant, payload, attemptsMax });
}

/** The jobs are all of one kind and tenant. */
function addJobs(jobs: readonly ReadyJob[]): Statement {
  const { kind, tenant } = jobs[0] as ReadyJob;
  return [
    ADD_JOBS,
    [
      kind,
      tenant,
      jobs.length,
      jobs.map(({ payload }) => payload),
      jobs.map(({ attemptsMax }) => attemptsMax),
    ],
  ];
}

/** Groups jobs by kind and tenant, in the order in which turns are locked, so that transactions cannot deadlock. */
export function inLockOrder<J extends { kind: string; tenant: string }>(jobs: readonly J[]): J[][] {
  const groups = new Map<string, J[]>();
  for (const job of jobs) {
    const key = `${job.kind}\n${job.tenant}`;
    groups.set(key, [...(groups.get(key) ?? []), job]);
  }
  return [...groups].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, group]) => group);
}

/**
 * The current turn of kind $1: the latest of the running jobs; if none runs, that of the next queued job; if none is queued either, the
 * latest turn ever taken, so that no tenant is held back for what it used while nobody else was waiting.
 */
export const PRESENT_TURN = `
  select coalesce(
    (select max(turn) from jobs where kind = $1::text and state = 'running'),
    (select min(turn) from jobs where kind = $1::text and state = 'queued'),
    (select max(turn) from job_turns where kind = $1::text),
    0
  ) as turn`;

/**
 * Start-time fair queueing between tenants (Goyal, Vin and Cheng, SIGCOMM 1996). Every job costs one turn until it turns out to be
 * longer (chargeTurns): the next $3 turns of tenant $2 follow its last turn or the current one, whichever is later. A thousand jobs of
 * one tenant take a thousand turns; the single job of another takes the very next one. Since no job is added at or before the current
 * turn, every waiting job advances.
 */
export const TAKE_TURNS = `
  present as (${PRESENT_TURN}),
  mine as (
    insert into job_turns (kind, tenant, turn)
    select $1::text, $2::text, present.turn + $3::integer from present
    on conflict (kind, tenant) do update set turn = greatest(job_turns.turn + $3::integer, excluded.turn)
    returning turn - $3::integer as before
  )`;

/** Adds jobs of kind $1 and tenant $2 and notifies the workers. */
export const ADD_JOBS = prepared(`
  with ${TAKE_TURNS}, added as (
    insert into jobs (kind, tenant, payload, state, turn, attempts_max)
    select $1::text, $2::text, job.payload::jsonb, 'queued', mine.before + job.nth, job.attempts_max
    from mine, unnest($4::text[], $5::integer[]) with ordinality as job (payload, attempts_max, nth)
  )
  select pg_notify('${JOBS_CHANNEL}', $1::text)`);
