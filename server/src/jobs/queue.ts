import type { Statement, Transaction } from '../platform/postgres.ts';
import { prepared } from '../platform/prepared.ts';
import { currentTrace } from '../platform/tracing.ts';

/** What each kind of job needs to know; everything else it reads from the domain's own rows. */
export type JobPayloads = {
  'analysis.download': { analysisId: string };
  'analysis.run': { analysisId: string };
  'webhook.deliver': { deliveryId: string };
  'mail.send': { mailId: string };
  'usage.report': { analysisId: string };
  sweep: Record<string, never>;
};

export type JobKind = keyof JobPayloads;

/** How often a job may start, when its enqueuer does not say otherwise. Chosen: more where a host of somebody else has to answer. */
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
  /** Whose turn it uses: the workspace, or 'system'. */
  tenant: string;
  payload: JobPayloads[K];
  /** Default now. */
  runAt?: Date;
  attemptsMax?: number;
};

type ReadyJob = { kind: JobKind; tenant: string; payload: string; attemptsMax: number };
const readyJobs = new WeakMap<Transaction, ReadyJob[]>();

/**
 * Adds a job on the caller's transaction, so that it exists exactly when the row it works on exists. Its turn is taken at
 * the end of the transaction: a turn is one lock for all of a tenant's jobs, and is locked in the same order by everybody.
 */
export async function enqueue<K extends JobKind>(tx: Transaction, job: NewJob<K>): Promise<void> {
  const { kind, tenant } = job;
  const payload = JSON.stringify({ ...job.payload, ...currentTrace() });
  const attemptsMax = job.attemptsMax ?? ATTEMPTS_MAX[kind];
  if (job.runAt !== undefined) {
    // It takes its turn when it is due (promoteDueJobs): a later date is no place in front.
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

/** Of one kind and tenant. */
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

/** Jobs by kind and tenant, in the one order in which turns are locked: two who each wait for the other's never meet. */
export function inLockOrder<J extends { kind: string; tenant: string }>(jobs: readonly J[]): J[][] {
  const groups = new Map<string, J[]>();
  for (const job of jobs) {
    const key = `${job.kind}\n${job.tenant}`;
    groups.set(key, [...(groups.get(key) ?? []), job]);
  }
  return [...groups].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, group]) => group);
}

/**
 * The turn that kind $1 is at: of the newest job that runs; when none runs, of the next in the queue; when that is empty
 * too, past all turns ever given, so that nobody is held back for what they used while there was room.
 */
export const PRESENT_TURN = `
  select coalesce(
    (select max(turn) from jobs where kind = $1::text and state = 'running'),
    (select min(turn) from jobs where kind = $1::text and state = 'queued'),
    (select max(turn) from job_turns where kind = $1::text),
    0
  ) as turn`;

/**
 * Start-time fair queueing between tenants (Goyal, Vin and Cheng, SIGCOMM 1996), with every job of length one until it has
 * shown to be longer: the next $3 turns of tenant $2 follow its last, or the queue's present, whichever is later. A
 * thousand jobs of one tenant take a thousand turns; the single job of another takes the very next one. And since nothing
 * can be added at or below the present turn, whoever waits comes closer with every job.
 */
export const TAKE_TURNS = `
  present as (${PRESENT_TURN}),
  mine as (
    insert into job_turns (kind, tenant, turn)
    select $1::text, $2::text, present.turn + $3::integer from present
    on conflict (kind, tenant) do update set turn = greatest(job_turns.turn + $3::integer, excluded.turn)
    returning turn - $3::integer as before
  )`;

/** Jobs of kind $1 and tenant $2, and word of them to the workers. */
export const ADD_JOBS = prepared(`
  with ${TAKE_TURNS}, added as (
    insert into jobs (kind, tenant, payload, state, turn, attempts_max)
    select $1::text, $2::text, job.payload::jsonb, 'queued', mine.before + job.nth, job.attempts_max
    from mine, unnest($4::text[], $5::integer[]) with ordinality as job (payload, attempts_max, nth)
  )
  select pg_notify('${JOBS_CHANNEL}', $1::text)`);
