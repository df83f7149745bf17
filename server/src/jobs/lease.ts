import type { Transaction } from '../platform/postgres.ts';

/**
 * The right to write on behalf of a job. `claim` counts how often the job was taken up and is never used twice, so a
 * worker that was paused, or cut off, and comes back late is told apart from the one that replaced it.
 */
export type Lease = { readonly jobId: number; readonly claim: number };

/** Another worker has this job now: stop, write nothing, report nothing. */
export class LeaseLost extends Error {
  constructor() {
    super('Another worker has taken this job over');
    this.name = 'LeaseLost';
  }
}

/**
 * The first statement of every transaction that an attempt writes. It locks the job's row until the transaction ends:
 * whoever would take the job over waits, and sees what was written.
 */
export async function assertLease(tx: Transaction, lease: Lease): Promise<void> {
  const held = await tx.maybeOne(
    `select 1 from jobs where id = $1 and claims = $2 and state = 'running' for update`,
    [lease.jobId, lease.claim],
  );
  if (held === null) throw new LeaseLost();
}

/** Ends the job in the same transaction as the outcome it led to. */
export async function finishJob(tx: Transaction, lease: Lease): Promise<void> {
  const ended = await tx.maybeOne(
    `delete from jobs where id = $1 and claims = $2 and state = 'running' returning id`,
    [lease.jobId, lease.claim],
  );
  if (ended === null) throw new LeaseLost();
}
