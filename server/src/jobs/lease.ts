import type { Transaction } from '../platform/postgres.ts';

/**
 * The right to write on behalf of a job. `claim` is the number of the claim, a fencing token: it distinguishes a worker that was paused
 * or disconnected, and returns late, from the one that replaced it.
 */
export type Lease = { readonly jobId: number; readonly claim: number };

/** Another worker has taken over the job: stop, write nothing, report nothing. */
export class LeaseLost extends Error {
  constructor() {
    super('Another worker has taken over this job');
    this.name = 'LeaseLost';
  }
}

/**
 * The first statement of every transaction that no two attempts may both commit. It locks the job's row until the transaction ends, so
 * that no other worker can take over the job meanwhile.
 */
export async function assertLease(tx: Transaction, lease: Lease): Promise<void> {
  const held = await tx.maybeOne(
    `select 1 from jobs where id = $1 and claims = $2 and state = 'running' for update`,
    [lease.jobId, lease.claim],
  );
  if (held === null) throw new LeaseLost();
}

/** Ends the job in the transaction of its outcome. */
export async function finishJob(tx: Transaction, lease: Lease): Promise<void> {
  const ended = await tx.maybeOne(
    `delete from jobs where id = $1 and claims = $2 and state = 'running' returning id`,
    [lease.jobId, lease.claim],
  );
  if (ended === null) throw new LeaseLost();
}
